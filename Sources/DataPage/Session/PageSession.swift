import Access
import Crypto
import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// Somebody who is signed in to the page.
struct PageSession: Sendable {
    /// What they have shown.
    enum Proof: Sendable {
        /// A key, which each request proves anew against the one that is configured by then.
        case key(String)
        /// A token with the admin role, which each request verifies anew.
        case token(String)
    }

    let proof: Proof
    /// What every write has to say, which other pages don't know.
    let token: String
    /// When it was sealed last, in milliseconds since 1970.
    let renewedAt: Int64
    /// In words, for the page.
    var name = "master key"
    /// The user of the token.
    var user: Principal.User?

    /// How long it lasts while nobody does anything, in milliseconds.
    static let idleTime: Int64 = 8 * 3_600_000
    /// How old it is before it is sealed anew.
    static let renewalTime: Int64 = 5 * 60_000
    static let tokenField: StaticString = "X-CSRF-Token"

    init(_ proof: Proof, token: String, renewedAt: Int64) {
        self.proof = proof
        self.token = token
        self.renewedAt = renewedAt
    }

    /// Reads what `bytes` wrote.
    /// - Returns: nil where it was another version's.
    init?(bytes: [UInt8]) {
        guard case .object(let members)? = try? JSONReader.parse(bytes) else { return nil }
        let object = JSONValue.object(members)
        guard let token = object["token"]?.textValue, let renewedAt = object["at"]?.integerValue else { return nil }
        if let key = object["key"]?.textValue {
            self.init(.key(key), token: token, renewedAt: renewedAt)
        } else if let shown = object["shown"]?.textValue {
            self.init(.token(shown), token: token, renewedAt: renewedAt)
        } else {
            return nil
        }
    }

    /// The session as it is sealed.
    var bytes: [UInt8] {
        var json = JSONWriter()
        switch proof {
        case .key(let key):
            json.raw("{\"key\":")
            json.string(key)
        case .token(let shown):
            json.raw("{\"shown\":")
            json.string(shown)
        }
        json.raw(",\"token\":")
        json.string(token)
        json.raw(",\"at\":")
        json.integer(renewedAt)
        json.raw("}")
        return json.bytes
    }

    /// Who the log says it is.
    var sender: Sender {
        var sender = Sender(.v2)
        sender.know(.admin(user))
        return sender
    }

    /// Makes sure that a write was sent by the page's own script.
    func checkToken(of request: HTTPRequest) throws(PageFault) {
        guard let shown = request.fields[Self.tokenField],
            SHA256.hash(data: Array(shown.utf8)) == SHA256.hash(data: Array(token.utf8))
        else { throw .foreign }
    }
}
