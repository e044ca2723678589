import ByteText
import Cryptography

/// Seals a session into a text that the browser keeps, and that can't be read or forged without the database's secret.
struct SessionSeal: Sendable {
    private let key: SealingKey
    private let marks: MessageKey

    /// - Parameter secret: the database's own secret, so that a session is valid on each of its servers.
    init(secret: [UInt8]) {
        let derived = KeyDerivation.key(from: secret.span, for: "zumod data page session 1")
        key = SealingKey(derived)
        marks = MessageKey(derived.span, .sha256)
    }

    /// - Returns: the sealed bytes, in characters that a cookie may contain.
    func seal(_ bytes: [UInt8]) -> String {
        Base64.url(key.seal(bytes))
    }

    /// - Returns: nil unless a server of this database sealed the text.
    func open(_ text: String) -> [UInt8]? {
        Base64.decode(Array(text.utf8), .url).flatMap(key.open)
    }

    /// Returns a stand-in for a key in a session, which then ends when the key changes.
    func mark(of text: String) -> String {
        marks.code(of: text.utf8Span.span).prefix(16).hexText
    }
}
