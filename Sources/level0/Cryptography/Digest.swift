internal import COpenSSL

/// A message's fixed-length print (FIPS 180-4): nobody finds another message with the same one.
public enum Digest {
    /// How many bytes a SHA-256 has.
    public static let sha256Bytes = 32

    /// The SHA-256 of bytes, and of more bytes that follow them.
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
