internal import ByteText
internal import JSONText

/// Recognizes public keys in their common forms.
enum PublicKeyText {
    /// Returns whether a text is a PEM public key or certificate, or a member of a key set.
    static func isOne(_ text: String) -> Bool {
        if text.hasPrefix("-----BEGIN ") {
            let kind = text.dropFirst(11).prefix { $0 != "-" }
            return kind.hasSuffix("PUBLIC KEY") || kind.hasSuffix("CERTIFICATE")
        }
        guard text.hasPrefix("{"), let key = try? StrictObject(text: Array(text.utf8)) else { return false }
        return key.text("kty") != nil && key["d"] == nil && key["k"] == nil
    }

    /// Returns whether bytes are DER: a sequence that begins with a sequence, where a private key begins with a number
    /// (RFC 5280 section 4.1, RFC 5958), and that names the algorithm RSA or elliptic curves.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 64, bytes[0] == 0x30 else { return false }
        let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
        guard lengthBytes <= 2 else { return false }
        let length = lengthBytes == 0 ? Int(bytes[1]) : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count == 2 + lengthBytes + length, bytes[2 + lengthBytes] == 0x30 else { return false }
        return [rsa, curves].contains { bytes.firstRange(of: $0) != nil }
    }

    private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    private static let curves: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
}
