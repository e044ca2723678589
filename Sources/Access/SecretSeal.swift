internal import ByteText
internal import Cryptography

/// Lets a client carry a text that only this server can read, for one purpose.
public struct SecretSeal: Sendable {
    private let key: SealingKey

    /// - Parameter purpose: what the texts are for.
    public init(key: SigningKey, purpose: String) {
        self.key = SealingKey(key.signature(of: Array("zumod secret for \(purpose)".utf8), .sha256))
    }

    /// The text, hidden, of characters that a URL can hold.
    public func hide(_ text: String) -> String {
        var hidden: [UInt8] = []
        Base64.appendURL(key.seal(Array(text.utf8)), to: &hidden)
        return String(decoding: hidden, as: UTF8.self)
    }

    /// The text that was hidden; nil where this seal never hid it.
    public func show(_ hidden: String) -> String? {
        Base64.decode(hidden.utf8, .url).flatMap { key.open($0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
