import ByteText
import Cryptography

/// Closes a session into a text that a browser keeps, which nobody can read or make without the database's secret.
struct SessionSeal: Sendable {
    private let key: SealingKey
    private let marks: MessageKey

    /// - Parameter secret: the database's own, so that a session holds on each of its servers.
    init(secret: [UInt8]) {
        let derived = KeyDerivation.key(from: secret.span, for: "zumod data page session 1")
        key = SealingKey(derived)
        marks = MessageKey(derived.span, .sha256)
    }

    /// - Returns: the sealed bytes, in letters that a cookie can hold.
    func seal(_ bytes: [UInt8]) -> String {
        Base64.url(key.seal(bytes))
    }

    /// - Returns: nil if no server of this database sealed it.
    func open(_ text: String) -> [UInt8]? {
        Base64.decode(Array(text.utf8), .url).flatMap(key.open)
    }

    /// A stand-in for a key in a session, so that another key ends it.
    func mark(of text: String) -> String {
        marks.code(of: text.utf8Span.span).prefix(16).hexText
    }
}
