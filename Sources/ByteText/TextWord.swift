/// Text by eight bytes at a time. Its functions are inlinable because writers and readers call them for each word.
public enum TextWord {
    /// Whether one of eight bytes is a control character, a quote or a backslash; none beyond ASCII is.
    @inlinable
    public static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        // A borrow marks too many bytes at the most, never too few.
        let controls = (word &- ones &* 0x20) & ~word
        let marks = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return marks & (ones &* 0x80) != 0
    }

    /// Whether none of eight bytes is beyond ASCII.
    @inlinable
    public static func isASCII(_ word: UInt64) -> Bool {
        word & 0x8080_8080_8080_8080 == 0
    }
}
