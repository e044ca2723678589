internal import Crypto

/// The key that receivers of notices share with the server. Printing it shows nothing of it.
public struct WebhookSecret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let key: SymmetricKey

    /// Takes the text's bytes as the key.
    /// - Returns: nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        key = SymmetricKey(data: Array(text.utf8))
    }

    /// The HMAC-SHA256 of bytes, in lower-case hexadecimal digits.
    public func signature(of bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        for byte in HMAC<SHA256>.authenticationCode(for: bytes, using: key) {
            for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? 48 + half : 87 + half) }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Nothing of the key.
    public var description: String { "WebhookSecret" }

    /// Nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
