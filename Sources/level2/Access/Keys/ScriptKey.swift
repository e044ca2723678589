internal import ByteText
internal import Cryptography

/// The key with which a project's scripts sign tokens for users that they authenticate themselves.
///
/// It is derived from the server's own key, which no script learns, so every server of the database has the same one,
/// and tokens outlive a restart. It signs tokens of users, never of operators.
public struct ScriptKey: Sendable {
    /// The key in hexadecimal, for scripts.
    public let text: String
    let key: SigningKey

    /// - Returns: nil if the derived bytes aren't a valid key, which is extremely improbable.
    public init?(of server: SigningKey) {
        let bytes = server.signature(of: Array("zumod key for tokens of scripts".utf8), .sha256)
        guard let key = try? SigningKey(bytes, .derived) else { return nil }
        text = bytes.hexText
        self.key = key
    }
}
