internal import COpenSSL

/// A key from a password, expensive to compute in time and memory so that guessing is too (RFC 7914).
public enum Scrypt {
    /// The maximum memory to use, in bytes.
    private static let mostMemory: UInt64 = 1 << 27

    /// Derives a key of 32 bytes. Slow: never call it on an event loop.
    /// - Parameters:
    ///   - cost: N, a power of two above 1.
    ///   - blockSize: r.
    ///   - lanes: p.
    /// - Returns: nil if the parameters are invalid, or there isn't enough memory.
    public static func key(
        of password: Span<UInt8>, salt: Span<UInt8>, cost: Int, blockSize: Int, lanes: Int
    ) -> [UInt8]? {
        guard Algorithms.hasBegun, cost > 1, blockSize > 0, lanes > 0 else { return nil }
        var key = [UInt8](repeating: 0, count: 32)
        let done = unsafe password.withUnsafeBytes { password in
            unsafe salt.withUnsafeBufferPointer { salt in
                unsafe EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt.baseAddress,
                    salt.count, UInt64(cost), UInt64(blockSize), UInt64(lanes), mostMemory, &key, key.count)
            }
        }
        guard done == 1 else {
            ERR_clear_error()
            return nil
        }
        return key
    }
}
