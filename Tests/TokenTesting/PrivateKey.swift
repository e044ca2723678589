internal import COpenSSL

/// A private key made by chance, which signs as somebody would whom a server trusts.
///
/// Sendable unchecked: it is never changed after `init`, and each signature has a context of its own.
@safe public final class PrivateKey: @unchecked Sendable {
    /// By which algorithm, in OpenSSL's name for it.
    public enum Algorithm: String, Sendable {
        /// PKCS #1 v1.5 with SHA-256.
        case rsa = "RSA"
        /// ECDSA with SHA-256.
        case p256 = "EC"
        case ed25519 = "ED25519"
    }

    /// That OpenSSL did not sign.
    public struct NoSignature: Error {
        let algorithm: Algorithm
    }

    private let key: OpaquePointer
    private let algorithm: Algorithm

    /// - Parameter bits: the length of an RSA key's modulus.
    public init(_ algorithm: Algorithm, bits: Int32 = 2_048) {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, algorithm.rawValue, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        var done = unsafe context != nil && EVP_PKEY_keygen_init(context) == 1
        switch algorithm {
        case .rsa: done = unsafe done && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
        case .p256: done = unsafe done && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
        case .ed25519: break
        }
        guard unsafe done && EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else {
            fatalError("there is no key of \(algorithm)")
        }
        unsafe self.key = unsafe key
        self.algorithm = algorithm
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// A signature as OpenSSL has it: of P-256 in DER.
    public func signatureInDER(of message: [UInt8]) throws -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest = algorithm == .ed25519 ? nil : "SHA256"
        var signature = [UInt8](repeating: 0, count: 1_024)
        var count = signature.count
        guard unsafe EVP_DigestSignInit_ex(context, nil, digest, nil, nil, key, nil) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw NoSignature(algorithm: algorithm) }
        return Array(signature[..<count])
    }

    /// A signature as tokens have it: of P-256 as r and s of 32 bytes each.
    public func signature(of message: [UInt8]) throws -> [UInt8] {
        let bytes = try signatureInDER(of: message)
        guard algorithm == .p256 else { return bytes }
        let signature = unsafe bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &rest, bytes.count)
        }
        defer { unsafe ECDSA_SIG_free(signature) }
        return unsafe Self.bytes(of: ECDSA_SIG_get0_r(signature), 32)
            + Self.bytes(of: ECDSA_SIG_get0_s(signature), 32)
    }

    /// The modulus of an RSA key.
    public var modulus: [UInt8] { number("n") }

    /// The public exponent of an RSA key.
    public var exponent: [UInt8] { number("e") }

    /// The point of another key: of P-256 as 04, x and y.
    public var point: [UInt8] {
        var point = [UInt8](repeating: 0, count: 65)
        var count = point.count
        let done =
            unsafe algorithm == .p256
            ? EVP_PKEY_get_octet_string_param(key, "pub", &point, point.count, &count)
            : EVP_PKEY_get_raw_public_key(key, &point, &count)
        guard done == 1 else { fatalError("a key of \(algorithm) has no point") }
        return Array(point[..<count])
    }

    /// The public key in DER (a SubjectPublicKeyInfo).
    public var publicDER: [UInt8] {
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(key, &der)
        defer { unsafe zumod_free(der) }
        return unsafe Array(UnsafeBufferPointer(start: der, count: Int(count)))
    }

    /// The same in PEM.
    public var publicPEM: [UInt8] {
        let text = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(text) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        guard unsafe PEM_write_bio_PUBKEY(text, key) == 1 else { fatalError("a key of \(algorithm) is no text") }
        return unsafe Array(bytes[..<Int(BIO_read(text, &bytes, Int32(bytes.count)))])
    }

    private func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        defer { unsafe BN_free(number) }
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else {
            fatalError("a key of \(algorithm) has no \(name)")
        }
        return unsafe Self.bytes(of: number, (BN_num_bits(number) + 7) / 8)
    }

    private static func bytes(of number: OpaquePointer?, _ count: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard unsafe BN_bn2binpad(number, &bytes, count) == count else { fatalError("a number is longer than that") }
        return bytes
    }
}
