internal import COpenSSL

/// A public key, which verifies signatures by the holder of the private key.
///
/// Sendable unchecked: the key is never changed after `init`. OpenSSL itself locks what it caches in it, and each
/// verification has its own context.
@safe public final class VerifyingKey: @unchecked Sendable {
    private enum Kind {
        case rsa, ed25519
        case ec(Curve)
    }

    /// The curve of an ECDSA key, by OpenSSL's name; each has its own hash (RFC 7518 section 3.4).
    public enum Curve: String, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"

        /// The size in bytes of a coordinate, and of each half of a signature.
        public var byteCount: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }

        fileprivate var hash: MessageKey.Hash {
            switch self {
            case .p256: .sha256
            case .p384: .sha384
            case .p521: .sha512
            }
        }
    }

    /// How RSA pads a hash to its modulus.
    public enum Padding: Sendable {
        /// PKCS #1 v1.5 (RS256 and the like).
        case pkcs1
        /// PSS with a salt as long as the hash (PS256 and the like).
        case pss
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

    /// Creates an RSA key.
    ///
    /// OpenSSL accepts any numbers, so they are checked here.
    /// - Parameters:
    ///   - modulus: odd, with 2,048 to 8,192 bits; most significant byte first, as in the exponent.
    ///   - exponent: odd, above 1, with at most 33 bits.
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

    /// Creates an ECDSA key, for signatures with the curve's hash (ES256 and the like).
    /// - Parameters:
    ///   - x: a coordinate with the curve's number of bytes.
    ///   - y: a coordinate with the curve's number of bytes.
    /// - Returns: nil if they aren't a point on the curve.
    public static func ec(_ curve: Curve, x: [UInt8], y: [UInt8]) -> VerifyingKey? {
        guard Algorithms.hasBegun, x.count == curve.byteCount, y.count == curve.byteCount else { return nil }
        // Uncompressed (SEC 1 section 2.3.3).
        let point = [0x04] + x + y
        return unsafe VerifyingKey(zumod_ec_key(curve.rawValue, point, point.count), .ec(curve))
    }

    /// Creates an Ed25519 key (EdDSA).
    /// - Parameter point: 32 bytes. Weak points, for which anyone could sign, aren't rejected.
    /// - Returns: nil for any other number of bytes.
    public static func ed25519(_ point: [UInt8]) -> VerifyingKey? {
        guard Algorithms.hasBegun, point.count == 32 else { return nil }
        return unsafe VerifyingKey(
            EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, point, point.count), .ed25519)
    }

    /// Returns whether a signature of a message is valid; one of the wrong length is not.
    /// - Parameters:
    ///   - hash: for RSA only; other keys have their own.
    ///   - padding: for RSA only.
    public func isValid(
        _ signature: [UInt8], of message: [UInt8], hash: MessageKey.Hash = .sha256, padding: Padding = .pkcs1
    ) -> Bool {
        let isValid =
            switch kind {
            case .rsa: verifies(signature, message, digest: hash.name, padding: padding)
            case .ec(let curve):
                inDER(signature, half: curve.byteCount).map { verifies($0, message, digest: curve.hash.name) } ?? false
            case .ed25519: verifies(signature, message, digest: nil)
            }
        ERR_clear_error()
        return isValid
    }

    private func verifies(
        _ signature: [UInt8], _ message: [UInt8], digest: String?, padding: Padding = .pkcs1
    ) -> Bool {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        // It is freed with the other context.
        var keyContext: OpaquePointer?
        guard let context = unsafe context,
            unsafe EVP_DigestVerifyInit_ex(context, &keyContext, digest, nil, nil, key, nil) == 1
        else { return false }
        if case .pss = padding {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        // 0 means a wrong signature, a negative number a malformed one.
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Converts a signature from the form in tokens, r and s with the curve's number of bytes each (RFC 7518 section
    /// 3.4), to OpenSSL's.
    private func inDER(_ signature: [UInt8], half: Int) -> [UInt8]? {
        guard signature.count == 2 * half else { return nil }
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe zumod_ecdsa_der(signature, Int32(half), &der)
        defer { unsafe zumod_free(der) }
        return unsafe count > 0 ? Array(UnsafeBufferPointer(start: der, count: Int(count))) : nil
    }
}

/// An unsigned number, most significant byte first, without leading zeros.
private struct Number {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = Array(bytes.drop { $0 == 0 })
    }

    var isOdd: Bool { bytes.last.map { $0 & 1 == 1 } ?? false }

    var bitCount: Int { bytes.count * 8 - (bytes.first?.leadingZeroBitCount ?? 0) }
}
