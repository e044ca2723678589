internal import COpenSSL

/// Encrypts bytes so that they can't be read or changed without the key (AES-256-GCM, NIST SP 800-38D).
public struct SealingKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: [UInt8]

    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// - Parameter key: 32 unguessable bytes.
    public init(_ key: [UInt8]) {
        precondition(key.count == 32, "AES-256 has keys of 32 bytes")
        self.key = key
    }

    /// Only the type's name.
    public var description: String { "SealingKey" }

    /// Empty, to hide the key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the encrypted bytes: a random nonce, the ciphertext and its tag.
    public func seal(_ bytes: [UInt8]) -> [UInt8] {
        var chance = SystemRandomNumberGenerator()
        return seal(bytes, nonce: (0..<Self.nonceBytes).map { _ in .random(in: .min ... .max, using: &chance) })
    }

    /// - Parameter nonce: 12 bytes that are never reused: two texts with the same nonce reveal each other.
    func seal(_ bytes: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(nonce.count == Self.nonceBytes)
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: bytes.count)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        var (written, rest) = (Int32(0), Int32(0))
        guard let context = unsafe context,
            unsafe EVP_EncryptInit_ex2(context, Algorithms.aes256GCM, key, nonce, nil) == 1,
            unsafe bytes.isEmpty || EVP_EncryptUpdate(context, &sealed, &written, bytes, Int32(bytes.count)) == 1,
            written == bytes.count,
            // Writes nothing in this mode, but requires a buffer.
            unsafe EVP_EncryptFinal_ex(context, &tag, &rest) == 1, rest == 0,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { Algorithms.fail("encrypt") }
        return nonce + sealed + tag
    }

    /// Decrypts sealed bytes; nil if they weren't sealed with this key.
    public func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceBytes + Self.tagBytes, let context = unsafe EVP_CIPHER_CTX_new() else {
            return nil
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let nonce = Array(sealed.prefix(Self.nonceBytes))
        var tag = Array(sealed.suffix(Self.tagBytes))
        let hidden = Array(sealed.dropFirst(Self.nonceBytes).dropLast(Self.tagBytes))
        var bytes = [UInt8](repeating: 0, count: hidden.count)
        var (written, rest) = (Int32(0), Int32(0))
        var nothing = UInt8(0)
        guard unsafe EVP_DecryptInit_ex2(context, Algorithms.aes256GCM, key, nonce, nil) == 1,
            unsafe hidden.isEmpty || EVP_DecryptUpdate(context, &bytes, &written, hidden, Int32(hidden.count)) == 1,
            written == hidden.count,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
            // Only now is the text known to be authentic.
            unsafe EVP_DecryptFinal_ex(context, &nothing, &rest) == 1, rest == 0
        else {
            ERR_clear_error()
            return nil
        }
        return bytes
    }
}
