/// Somebody else who signs tokens about users, with Ed25519.
public struct TestIssuer: Sendable {
    private let key = PrivateKey(.ed25519)
    private let keyID: String?

    /// - Parameter keyID: the `kid` of keys and tokens; nil for none.
    public init(keyID: String? = nil) {
        self.keyID = keyID
    }

    /// The public key as issuers publish it.
    public var keySet: String {
        let x = TokenForge.text(key.point)
        return #"{"keys":[{"kty":"OKP","crv":"Ed25519"\#(kid),"x":"\#(x)"}]}"#
    }

    /// - Parameter claims: members of a JSON object.
    public func token(_ claims: String) throws -> String {
        let header = TokenForge.text(Array("{\"alg\":\"EdDSA\"\(kid)}".utf8))
        let message = header + "." + TokenForge.text(Array("{\(claims)}".utf8))
        return message + "." + TokenForge.text(try key.signature(of: Array(message.utf8)))
    }

    private var kid: String { keyID.map { ",\"kid\":\"\($0)\"" } ?? "" }
}
