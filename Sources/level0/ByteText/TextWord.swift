/// Text by eight bytes at a time. Its functions are inlinable because writers and readers call them for each word.
public enum TextWord {
    /// Whether one of eight bytes is a control character, a quote or a backslash; none beyond ASCII is.
    @inlinable
    public static func needsEscape(_ word: UInt64) -> Bool {
        // A borrow marks too many bytes at the most, never too few.
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | marks(of: 0x22, in: word) | marks(of: 0x5C, in: word)) & (ones &* 0x80) != 0
    }

    /// Whether one of eight bytes is that one.
    @inlinable
    public static func has(_ byte: UInt8, in word: UInt64) -> Bool {
        marks(of: byte, in: word) & (ones &* 0x80) != 0
    }

    /// A word in which each of the eight bytes that equals the given one has its highest bit set; so may bytes after it.
    @inlinable
    static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ (ones &* UInt64(byte))
        return (others &- ones) & ~others
    }

    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Whether none of eight bytes is beyond ASCII.
    @inlinable
    public static func isASCII(_ word: UInt64) -> Bool {
        word & 0x8080_8080_8080_8080 == 0
    }
}
