internal import COpenSSL

/// A public key, by which anybody can tell whether a signature is by the holder of the private one.
///
/// Sendable unchecked: the key is never changed after `init`. What OpenSSL keeps in it of its calculations it locks itself, and
/// each check has a context of its own.
@safe public final class VerifyingKey: @unchecked Sendable {
    private enum Kind {
        case rsa, p256, ed25519
    }

    private let key: OpaquePointer
    private let kind: Kind

    private init?(_ key: OpaquePointer?, _ kind: Kind) {
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = unsafe key
        self.kind = kind
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// A key of RSA, for signatures by PKCS #1 v1.5 with SHA-256 (RS256 of RFC 7518).
    ///
    /// OpenSSL takes whatever numbers it is given, so that these are looked at here.
    /// - Parameters:
    ///   - modulus: odd, of 2,048 to 8,192 bits; the highest byte first, as in what follows.
    ///   - exponent: odd, above 1, of 33 bits at most.
    /// - Returns: nil for other numbers.
    public static func rsa(modulus: [UInt8], exponent: [UInt8]) -> VerifyingKey? {
        let (modulus, exponent) = (Number(modulus), Number(exponent))
        guard Algorithms.hasBegun, modulus.isOdd, (2_048...8_192).contains(modulus.bitCount), exponent.isOdd,
            (2...33).contains(exponent.bitCount)
        else { return nil }
        return unsafe VerifyingKey(
            zumod_rsa_key(
                modulus.bytes, Int32(modulus.bytes.count), exponent.bytes, Int32(exponent.bytes.count)), .rsa)
    }

    /// A key of the curve P-256, for signatures by ECDSA with SHA-256 (ES256).
    /// - Parameters:
    ///   - x: 32 bytes.
    ///   - y: 32 bytes.
    /// - Returns: nil where that is no point of the curve.
    public static func p256(x: [UInt8], y: [UInt8]) -> VerifyingKey? {
        guard Algorithms.hasBegun, x.count == 32, y.count == 32 else { return nil }
        // Without compression (SEC 1 section 2.3.3).
        let point = [0x04] + x + y
        return unsafe VerifyingKey(zumod_p256_key(point, point.count), .p256)
    }

    /// A key of Ed25519 (EdDSA).
    /// - Parameter point: 32 bytes. Whether anybody could sign for it is not looked at.
    /// - Returns: nil for fewer or more bytes.
    public static func ed25519(_ point: [UInt8]) -> VerifyingKey? {
        guard Algorithms.hasBegun, point.count == 32 else { return nil }
        return unsafe VerifyingKey(
            EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, point, point.count), .ed25519)
    }

    /// Whether a signature is by the holder of the private key, of this very message; one of a wrong length is not.
    public func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let isValid =
            switch kind {
            case .rsa: verifies(signature, message, digest: "SHA256")
            case .p256: inDER(signature).map { verifies($0, message, digest: "SHA256") } ?? false
            case .ed25519: verifies(signature, message, digest: nil)
            }
        ERR_clear_error()
        return isValid
    }

    private func verifies(_ signature: [UInt8], _ message: [UInt8], digest: String?) -> Bool {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard let context = unsafe context,
            unsafe EVP_DigestVerifyInit_ex(context, nil, digest, nil, nil, key, nil) == 1
        else { return false }
        // 0 is a wrong signature, what is below 0 something that is none.
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// A signature as tokens have it, r and s of 32 bytes each (RFC 7518 section 3.4), as OpenSSL wants it.
    private func inDER(_ signature: [UInt8]) -> [UInt8]? {
        guard signature.count == 64 else { return nil }
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe zumod_ecdsa_der(signature, 32, &der)
        defer { unsafe zumod_free(der) }
        return unsafe count > 0 ? Array(UnsafeBufferPointer(start: der, count: Int(count))) : nil
    }
}

/// A number without a sign, the highest byte first, without zeros before it.
private struct Number {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = Array(bytes.drop { $0 == 0 })
    }

    var isOdd: Bool { bytes.last.map { $0 & 1 == 1 } ?? false }

    var bitCount: Int { bytes.count * 8 - (bytes.first?.leadingZeroBitCount ?? 0) }
}
