import Access
import Cryptography
import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// Somebody who is signed in to the page.
struct PageSession: Sendable {
    /// What they have shown.
    enum Proof: Sendable {
        /// A key, which each request compares with the currently configured one.
        case key(String)
        /// A token with the admin role, which each request verifies again.
        case token(String)
    }

    let proof: Proof
    /// What every write has to say, which other pages don't know.
    let token: String
    /// When it began, in milliseconds since 1970.
    let beganAt: Int64
    /// When it was sealed last.
    var renewedAt: Int64
    /// Whether the browser gives it back by HTTPS alone.
    let isSecure: Bool
    /// In words, for the page.
    var name = "master key"
    /// The user of the token.
    var user: Principal.User?

    /// How long it lasts while nobody does anything, in milliseconds.
    static let idleTime: Int64 = 8 * 3_600_000
    /// How long it lasts whatever is done, so that a copy of its cookie doesn't go on for ever.
    static let longestTime: Int64 = 7 * 24 * 3_600_000
    /// How old it is before it is sealed again.
    static let renewalTime: Int64 = 5 * 60_000
    static let tokenField: StaticString = "X-CSRF-Token"

    init(_ proof: Proof, token: String, at now: Int64, isSecure: Bool) {
        self.proof = proof
        self.token = token
        beganAt = now
        renewedAt = now
        self.isSecure = isSecure
    }

    /// When it ends if nothing more is done, in milliseconds since 1970.
    var end: Int64 { min(renewedAt + Self.idleTime, beganAt + Self.longestTime) }

    /// Reads what `bytes` wrote.
    /// - Returns: nil if it was another version's.
    init?(bytes: [UInt8]) {
        guard case .object(let members)? = try? JSONReader.parse(bytes) else { return nil }
        let object = JSONValue.object(members)
        guard let token = object["token"]?.textValue, let beganAt = object["began"]?.integerValue,
            let renewedAt = object["at"]?.integerValue, let isSecure = object["secure"]?.booleanValue
        else { return nil }
        let proof: Proof
        if let key = object["key"]?.textValue {
            proof = .key(key)
        } else if let shown = object["shown"]?.textValue {
            proof = .token(shown)
        } else {
            return nil
        }
        self.init(proof, token: token, at: beganAt, isSecure: isSecure)
        self.renewedAt = renewedAt
    }

    /// The session as it is sealed.
    var bytes: [UInt8] {
        let shown: JSONMember =
            switch proof {
            case .key(let key): JSONMember("key", .string(key))
            case .token(let shown): JSONMember("shown", .string(shown))
            }
        return JSONValue.object([
            shown, JSONMember("token", .string(token)), JSONMember("began", .integer(beganAt)),
            JSONMember("at", .integer(renewedAt)), JSONMember("secure", .boolean(isSecure)),
        ]).jsonBytes
    }

    /// The caller as the log sees it.
    var sender: RequestCaller {
        var sender = RequestCaller(.v2)
        sender.know(.admin(user))
        return sender
    }

    /// Makes sure that a write was sent by the page's own script.
    func checkToken(of request: HTTPRequest) throws(PageFault) {
        guard let shown = request.fields[Self.tokenField],
            ConstantTime.isEqual(
                Digest.sha256(shown.utf8Span.span).span, Digest.sha256(token.utf8Span.span).span)
        else { throw .foreign }
    }
}
