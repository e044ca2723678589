internal import ByteText
internal import Cryptography

/// The key that receivers of notices share with the server. Printing it shows nothing of it.
public struct WebhookSecret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let key: MessageKey

    /// Takes the text's bytes as the key.
    /// - Returns: nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        key = MessageKey(text.utf8Span.span, .sha256)
    }

    /// The HMAC-SHA256 of bytes, in lower-case hexadecimal digits.
    public func signature(of bytes: [UInt8]) -> String {
        key.code(of: bytes.span).hexText
    }

    /// Nothing of the key.
    public var description: String { "WebhookSecret" }

    /// Nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
