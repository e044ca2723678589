internal import COpenSSL

/// A message's fixed-length digest (FIPS 180-4); finding another message with the same one is infeasible.
public enum Digest {
    /// The size of a SHA-256 in bytes.
    public static let sha256Bytes = 32

    /// Returns the SHA-256 of bytes followed by more bytes.
    public static func sha256(_ bytes: Span<UInt8>, _ rest: Span<UInt8> = Span()) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: sha256Bytes) { room, count in
            let context = unsafe EVP_MD_CTX_new()
            defer { unsafe EVP_MD_CTX_free(context) }
            guard let context = unsafe context, unsafe EVP_DigestInit_ex2(context, Algorithms.sha256, nil) == 1,
                unsafe bytes.withUnsafeBytes({ unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1,
                unsafe rest.withUnsafeBytes({ unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1,
                unsafe EVP_DigestFinal_ex(context, room.baseAddress, nil) == 1
            else { Algorithms.fail("hash") }
            count = sha256Bytes
        }
    }
}
