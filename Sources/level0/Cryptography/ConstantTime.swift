internal import COpenSSL

/// Comparison of secrets in constant time.
public enum ConstantTime {
    /// Returns whether all bytes are equal, in a time that only depends on their number.
    public static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe one.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                unsafe CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }
}
