internal import COpenSSL

/// Keys derived from a secret (HKDF with SHA-256, RFC 5869): one for each purpose, none of which reveals another or the
/// secret.
public enum KeyDerivation {
    /// Returns a key of 32 bytes.
    /// - Parameters:
    ///   - secret: as hard to guess as the key must be; there is no salt.
    ///   - purpose: the purpose of the key.
    public static func key(from secret: Span<UInt8>, for purpose: String) -> [UInt8] {
        precondition(!secret.isEmpty, "no key comes of nothing")
        return unsafe [UInt8](unsafeUninitializedCapacity: keyBytes) { room, count in
            let done = unsafe secret.withUnsafeBufferPointer { secret in
                unsafe purpose.utf8Span.span.withUnsafeBufferPointer { purpose in
                    unsafe zumod_hkdf(
                        Algorithms.hkdf, secret.baseAddress, secret.count, purpose.baseAddress, purpose.count,
                        room.baseAddress, keyBytes)
                }
            }
            guard done == 1 else { Algorithms.fail("derive a key") }
            count = keyBytes
        }
    }

    private static let keyBytes = 32
}
