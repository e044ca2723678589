internal import ByteText
internal import Cryptography

/// Lets a client carry a text that only this server can read, for one purpose.
public struct SecretSeal: Sendable {
    private let key: SealingKey
    private let olderKeys: [SealingKey]

    /// - Parameters:
    ///   - older: keys that no longer encrypt, but still decrypt what they encrypted.
    ///   - purpose: the purpose of the texts.
    public init(key: SigningKey, older: [SigningKey] = [], purpose: String) {
        func derived(_ key: SigningKey) -> SealingKey {
            SealingKey(key.signature(of: Array("zumod secret for \(purpose)".utf8), .sha256))
        }
        self.key = derived(key)
        olderKeys = older.map(derived)
    }

    /// Returns the encrypted text, in characters that a URL can hold.
    public func hide(_ text: String) -> String {
        Base64.url(key.seal(Array(text.utf8)))
    }

    /// Decrypts a text; nil if this seal didn't encrypt it.
    public func show(_ hidden: String) -> String? {
        guard let bytes = Base64.decode(hidden.utf8, .url) else { return nil }
        return ([key] + olderKeys).lazy.compactMap { $0.open(bytes) }.first.flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }
}
