internal import ByteText
internal import Cryptography

/// The key that the receiver of notices shares with the server. Its descriptions don't reveal it.
public struct WebhookSecret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let key: MessageKey

    /// Creates a secret with the text's bytes as the key.
    /// - Returns: nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        key = MessageKey(text.utf8Span.span, .sha256)
    }

    /// Returns the HMAC-SHA256 of bytes, in lower-case hexadecimal digits.
    public func signature(of bytes: [UInt8]) -> String {
        key.code(of: bytes.span).hexText
    }

    /// The type's name, without the key.
    public var description: String { "WebhookSecret" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
