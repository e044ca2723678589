internal import COpenSSL

/// Comparison of secrets.
public enum ConstantTime {
    /// Whether all bytes are the same, in a time that depends on their number only.
    public static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe one.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                unsafe CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }
}
