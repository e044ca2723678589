import ByteText
import Crypto

/// Closes a session into a text that a browser keeps, which nobody can read or make without the database's secret.
struct SessionSeal: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: the database's own, so that a session holds on each of its servers.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("zumod data page session 1".utf8),
            outputByteCount: 32)
    }

    /// - Returns: the sealed bytes, in letters that a cookie can hold.
    func seal(_ bytes: [UInt8]) throws -> String {
        let box = try AES.GCM.seal(bytes, using: key)
        var text: [UInt8] = []
        Base64.appendURL(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil where no server of this database sealed it.
    func open(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.decode(Array(text.utf8), .url), let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Array(opened)
    }

    /// What stands for a key in a session, so that another key ends it.
    func mark(of text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(16).hexText
    }
}
