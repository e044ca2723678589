internal import COpenSSL

/// The algorithms used from the system's libcrypto. Each is fetched once and kept: looking it up by name takes longer
/// than hashing a request.
public enum Algorithms {
    /// Checks that all of them are available. After that, they only fail for lack of memory, which ends the process.
    ///
    /// Must be called before anything else in the process uses OpenSSL: the first use decides how it is cleaned up.
    public static func prepare() throws(CryptographyFault) {
        let missing = needed.filter { !$0.isThere() }.map(\.name)
        ERR_clear_error()
        guard missing.isEmpty else { throw .missing(missing) }
    }

    // Fetched algorithms never change, and OpenSSL counts its owners itself.
    nonisolated(unsafe) static let sha256 = unsafe fetched { unsafe EVP_MD_fetch(nil, "SHA256", nil) }
    nonisolated(unsafe) static let hmac = unsafe fetched { unsafe EVP_MAC_fetch(nil, "HMAC", nil) }
    nonisolated(unsafe) static let hkdf = unsafe fetched { unsafe EVP_KDF_fetch(nil, "HKDF", nil) }
    nonisolated(unsafe) static let aes256GCM = unsafe fetched { unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) }

    /// Whether libcrypto is initialized. It isn't cleaned up at exit: threads that still hash while the process exits
    /// would lose its memory in use.
    static let hasBegun = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    private static func fetched(_ fetch: () -> OpaquePointer?) -> OpaquePointer? {
        unsafe hasBegun ? fetch() : nil
    }

    /// The algorithms, with the names that operators know.
    private static let needed: [(name: String, isThere: @Sendable () -> Bool)] = [
        ("SHA-256", { unsafe sha256 != nil }),
        ("SHA-384", { unsafe has(EVP_MD_fetch, "SHA384", EVP_MD_free) }),
        ("SHA-512", { unsafe has(EVP_MD_fetch, "SHA512", EVP_MD_free) }),
        ("HMAC", { unsafe hmac != nil }),
        ("HKDF", { unsafe hkdf != nil }),
        ("scrypt", { unsafe has(EVP_KDF_fetch, "SCRYPT", EVP_KDF_free) }),
        ("AES-256-GCM", { unsafe aes256GCM != nil }),
        ("RSA", { hasSignature("RSA", key: "RSA") }),
        ("ECDSA", { hasSignature("ECDSA", key: "EC") }),
        ("Ed25519", { hasSignature("ED25519", key: "ED25519") }),
    ]

    private static func hasSignature(_ name: String, key: String) -> Bool {
        unsafe has(EVP_SIGNATURE_fetch, name, EVP_SIGNATURE_free) && has(EVP_KEYMGMT_fetch, key, EVP_KEYMGMT_free)
    }

    private typealias Fetch = (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> OpaquePointer?

    /// Checks those that OpenSSL itself caches once found.
    private static func has(_ fetch: Fetch, _ name: String, _ free: (OpaquePointer?) -> Void) -> Bool {
        guard hasBegun, let found = unsafe fetch(nil, name, nil) else { return false }
        unsafe free(found)
        return true
    }

    /// Ends the process if an available algorithm fails: any result would be wrong.
    static func fail(_ work: StaticString) -> Never {
        let reason = unsafe ERR_reason_error_string(ERR_peek_last_error()).map { unsafe String(cString: $0) }
        fatalError("libcrypto can't \(work): \(reason ?? "no reason is given")")
    }
}

/// Why hashes, seals and signatures can't be used.
public enum CryptographyFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// OpenSSL has no provider for these algorithms.
    case missing([String])

    /// A description for the operator.
    public var description: String {
        switch self {
        case .missing(let names):
            "OpenSSL has no \(names.joined(separator: ", ")): its default provider has to be active, by openssl.cnf or by the "
                + "file that OPENSSL_CONF names"
        }
    }
}
