/// Text processing, eight bytes at a time. The functions are inlinable because they are called for each word.
public enum TextWord {
    /// Returns whether one of eight bytes is a control character, a quote or a backslash; non-ASCII bytes are none.
    @inlinable
    public static func needsEscape(_ word: UInt64) -> Bool {
        // A borrow can only mark too many bytes, never too few.
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | marks(of: 0x22, in: word) | marks(of: 0x5C, in: word)) & (ones &* 0x80) != 0
    }

    /// Returns whether one of eight bytes equals the given one.
    @inlinable
    public static func has(_ byte: UInt8, in word: UInt64) -> Bool {
        marks(of: byte, in: word) & (ones &* 0x80) != 0
    }

    /// Returns a word with the highest bit of each byte set that equals the given one, and possibly of bytes after it.
    @inlinable
    static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ (ones &* UInt64(byte))
        return (others &- ones) & ~others
    }

    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Returns whether all eight bytes are ASCII.
    @inlinable
    public static func isASCII(_ word: UInt64) -> Bool {
        word & 0x8080_8080_8080_8080 == 0
    }
}
