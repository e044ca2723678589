import Access
import Cryptography
import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// The session of an operator who is signed in to the page.
struct PageSession: Sendable {
    /// The credentials that were shown.
    enum Proof: Sendable {
        /// The mark of a key, which each request compares with that of the configured one.
        case key(String)
        /// A token with the admin role, which each request verifies again.
        case token(String)
    }

    let proof: Proof
    /// The token that every write has to send, and that other pages don't know.
    let token: String
    /// When the session began, in milliseconds since 1970.
    let beganAt: Int64
    /// When it was last sealed, in milliseconds since 1970.
    var renewedAt: Int64
    /// Whether the browser sends it only by HTTPS.
    let isSecure: Bool
    /// The operator's name, for the page.
    var name = "master key"
    /// The user of the token.
    var user: Principal.User?

    /// How long the session lasts without activity, in milliseconds.
    static let idleTime: Int64 = 8 * 3_600_000
    /// The maximum lifetime of a session in milliseconds, so that a copied cookie doesn't work forever.
    static let longestTime: Int64 = 7 * 24 * 3_600_000
    /// The age in milliseconds at which it is sealed again.
    static let renewalTime: Int64 = 5 * 60_000
    static let tokenField: StaticString = "X-CSRF-Token"

    init(_ proof: Proof, token: String, at now: Int64, isSecure: Bool) {
        self.proof = proof
        self.token = token
        beganAt = now
        renewedAt = now
        self.isSecure = isSecure
    }

    /// When it ends without further activity, in milliseconds since 1970.
    var end: Int64 { min(renewedAt + Self.idleTime, beganAt + Self.longestTime) }

    /// Parses what `bytes` returns.
    /// - Returns: nil if another version of the server wrote it.
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

    /// The session in the form that is sealed.
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

    /// The sender as it appears in the log.
    var caller: RequestCaller {
        var caller = RequestCaller(.v2)
        caller.know(.admin(user))
        return caller
    }

    /// Checks that a write was sent by the page's own script.
    func checkToken(of request: HTTPRequest) throws(PageFault) {
        guard let shown = request.fields[Self.tokenField],
            ConstantTime.isEqual(
                Digest.sha256(shown.utf8Span.span).span, Digest.sha256(token.utf8Span.span).span)
        else { throw .foreign }
    }
}
