internal import COpenSSL
public import Cryptography

/// A private key made by chance, which signs as somebody would whom a server trusts.
///
/// Sendable unchecked: it is never changed after `init`, and each signature has a context of its own.
@safe public final class PrivateKey: @unchecked Sendable {
    /// By which algorithm.
    public enum Algorithm: Sendable {
        case rsa
        /// ECDSA with the hash that goes with the curve.
        case p256, p384, p521
        case ed25519

        /// OpenSSL's name.
        fileprivate var name: String {
            switch self {
            case .rsa: "RSA"
            case .p256, .p384, .p521: "EC"
            case .ed25519: "ED25519"
            }
        }

        /// The curve by OpenSSL's name, and how many bytes its numbers have; nil for another algorithm.
        var curve: (name: String, bytes: Int32)? {
            switch self {
            case .p256: ("P-256", 32)
            case .p384: ("P-384", 48)
            case .p521: ("P-521", 66)
            case .rsa, .ed25519: nil
            }
        }

        /// The hash that signatures are of, where nobody asks for another.
        fileprivate var hash: MessageKey.Hash {
            switch self {
            case .p384: .sha384
            case .p521: .sha512
            case .rsa, .p256, .ed25519: .sha256
            }
        }
    }

    /// That OpenSSL did not sign.
    public struct NoSignature: Error {
        let algorithm: Algorithm
    }

    private let key: OpaquePointer
    private let algorithm: Algorithm

    /// - Parameter bits: the length of an RSA key's modulus.
    public init(_ algorithm: Algorithm, bits: Int32 = 2_048) {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, algorithm.name, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        var done = unsafe context != nil && EVP_PKEY_keygen_init(context) == 1
        if case .rsa = algorithm { done = unsafe done && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1 }
        if let curve = algorithm.curve { done = unsafe done && EVP_PKEY_CTX_set_group_name(context, curve.name) == 1 }
        guard unsafe done && EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else {
            fatalError("there is no key of \(algorithm)")
        }
        unsafe self.key = unsafe key
        self.algorithm = algorithm
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// A signature as OpenSSL has it: of a curve in DER.
    /// - Parameters:
    ///   - hash: nil for the one that goes with the key.
    ///   - isPSS: whether RSA pads by PSS, with a salt as long as the hash.
    public func signatureInDER(
        of message: [UInt8], _ hash: MessageKey.Hash? = nil, isPSS: Bool = false
    ) throws -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest: String? =
            switch (algorithm, hash ?? algorithm.hash) {
            case (.ed25519, _): nil
            case (_, .sha256): "SHA256"
            case (_, .sha384): "SHA384"
            case (_, .sha512): "SHA512"
            }
        var signature = [UInt8](repeating: 0, count: 1_024)
        var count = signature.count
        var keyContext: OpaquePointer?
        guard unsafe EVP_DigestSignInit_ex(context, &keyContext, digest, nil, nil, key, nil) == 1,
            unsafe !isPSS
                || EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) == 1
                    && EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, RSA_PSS_SALTLEN_DIGEST) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw NoSignature(algorithm: algorithm) }
        return Array(signature[..<count])
    }

    /// A signature as tokens have it: of a curve as r and s of its length each.
    public func signature(
        of message: [UInt8], _ hash: MessageKey.Hash? = nil, isPSS: Bool = false
    ) throws -> [UInt8] {
        let bytes = try signatureInDER(of: message, hash, isPSS: isPSS)
        guard let curve = algorithm.curve else { return bytes }
        let signature = unsafe bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &rest, bytes.count)
        }
        defer { unsafe ECDSA_SIG_free(signature) }
        return unsafe Self.bytes(of: ECDSA_SIG_get0_r(signature), curve.bytes)
            + Self.bytes(of: ECDSA_SIG_get0_s(signature), curve.bytes)
    }

    /// The modulus of an RSA key.
    public var modulus: [UInt8] { number("n") }

    /// The public exponent of an RSA key.
    public var exponent: [UInt8] { number("e") }

    /// The point of another key: of a curve as 04, x and y.
    public var point: [UInt8] {
        var point = [UInt8](repeating: 0, count: 133)
        var count = point.count
        let done =
            unsafe algorithm.curve != nil
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
