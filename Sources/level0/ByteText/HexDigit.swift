/// A hexadecimal digit. The functions are inlinable because parsers call them for each byte.
public enum HexDigit {
    /// Returns the value of a digit in either case.
    /// - Returns: nil for a byte that isn't a digit.
    @inlinable
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }

    /// Returns the lower-case digit of a value under 16.
    @inlinable
    public static func lowerCase(_ value: UInt8) -> UInt8 {
        value < 10 ? 48 + value : 87 + value
    }

    /// Returns the upper-case digit of a value under 16.
    @inlinable
    public static func upperCase(_ value: UInt8) -> UInt8 {
        value < 10 ? 48 + value : 55 + value
    }
}
