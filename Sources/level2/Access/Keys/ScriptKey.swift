internal import ByteText
internal import Cryptography

/// The key by which the scripts of a project sign tokens for users whom they know themselves.
///
/// It follows from the server's own key, which no script learns, so every server of the database has the same, and tokens
/// outlive a restart. What it signs is a user's token, never an operator's.
public struct ScriptKey: Sendable {
    /// For scripts, in hexadecimal.
    public let text: String
    let key: SigningKey

    /// - Returns: nil where a key can't be made of it, which chance alone can bring about.
    public init?(of server: SigningKey) {
        let bytes = server.signature(of: Array("zumod key for tokens of scripts".utf8), .sha256)
        guard let key = try? SigningKey(bytes, .derived) else { return nil }
        text = bytes.hexText
        self.key = key
    }
}
