/// Case of text, the same on every store: each code point maps to one code point, independently of language.
///
/// It determines which texts are equal and contained in one another; `TextOrder` defines their order.
///
/// A code point with several counterparts (`ß`, `İ`) keeps its case. Lowering never maps another character to ASCII
/// (the Kelvin sign stays), on which `TextRule.ignoringASCIICase` relies. Invalid UTF-8 is left as it is.
public enum TextFold {
    /// Returns UTF-8 in lower case.
    public static func lowered(_ text: Span<UInt8>) -> [UInt8] {
        mapped(text, by: lower)
    }

    /// Returns UTF-8 in upper case.
    public static func uppered(_ text: Span<UInt8>) -> [UInt8] {
        mapped(text, by: upper)
    }

    /// Returns the text in lower case.
    public static func lowered(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: lowered(bytes.span), as: UTF8.self)
    }

    /// Returns the text in upper case.
    public static func uppered(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: uppered(bytes.span), as: UTF8.self)
    }

    /// Returns whether lowering changes a letter added after Unicode 11.0 (2018), which a database may not know.
    static func hasYoungLetters(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.value >= youngest && lower(scalar.value) != scalar.value
                && scalar.properties.age.map { $0.major > 11 } ?? true
        }
    }

    /// No letter before this one was added that late.
    private static let youngest: UInt32 = 0x1C89

    /// Compares two texts in UTF-8 by the code points of their lower case.
    /// - Returns: a number less than, equal to or greater than 0, as the first sorts before, with or after the second.
    public static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        var (leftPlace, rightPlace) = asciiPrefix(left, right)
        while leftPlace < left.count, rightPlace < right.count {
            let first = lower(codePoint(left, &leftPlace))
            let second = lower(codePoint(right, &rightPlace))
            if first != second { return first < second ? -1 : 1 }
        }
        return (left.count - leftPlace) - (right.count - rightPlace)
    }

    /// Returns how far both texts are ASCII and equal except for case, which for most texts is to the end.
    private static func asciiPrefix(_ left: Span<UInt8>, _ right: Span<UInt8>) -> (Int, Int) {
        var place = 0
        let count = min(left.count, right.count)
        while place < count {
            let (first, second) = (left[place], right[place])
            guard first | second < 0x80, first == second || lower(UInt32(first)) == lower(UInt32(second)) else { break }
            place += 1
        }
        return (place, place)
    }

    private static func mapped(_ text: Span<UInt8>, by mapping: (UInt32) -> UInt32) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let start = place
            let mapped = mapping(codePoint(text, &place))
            if mapped < 0x80 {
                result.append(UInt8(mapped))
            } else if let scalar = Unicode.Scalar(mapped) {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                for index in start..<place { result.append(text[index]) }
            }
        }
        return result
    }
}

extension TextFold {
    /// Invalid UTF-8 bytes count as code points beyond all others, one by one, so that any two texts can be compared.
    private static let invalid: UInt32 = 0x11_0000

    /// Reads the code point at a place and advances past it.
    static func codePoint(_ text: Span<UInt8>, _ place: inout Int) -> UInt32 {
        let first = text[place]
        place += 1
        if first < 0x80 { return UInt32(first) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first), place + length - 1 <= text.count else { return invalid + UInt32(first) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in place..<place + length - 1 {
            guard text[index] & 0xC0 == 0x80 else { return invalid + UInt32(first) }
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        let least: UInt32 = length == 4 ? 0x1_0000 : length == 3 ? 0x800 : 0x80
        guard value >= least, Unicode.Scalar(value) != nil else { return invalid + UInt32(first) }
        place += length - 1
        return value
    }

    /// The lower case of the most common code points beyond ASCII, since Unicode's own tables are slow.
    private static let lowerTable: [UInt32] = (0..<0x2000).map(lowerByUnicode)

    static func lower(_ codePoint: UInt32) -> UInt32 {
        if codePoint < 0x80 { return (0x41...0x5A).contains(codePoint) ? codePoint + 0x20 : codePoint }
        return codePoint < 0x2000 ? lowerTable[Int(codePoint)] : lowerByUnicode(codePoint)
    }

    private static func lowerByUnicode(_ codePoint: UInt32) -> UInt32 {
        guard let lower = Unicode.Scalar(codePoint)?.properties.lowercaseMapping.unicodeScalars, lower.count == 1,
            let only = lower.first, !only.isASCII
        else { return codePoint }
        return only.value
    }

    private static func upper(_ codePoint: UInt32) -> UInt32 {
        if codePoint < 0x80 { return (0x61...0x7A).contains(codePoint) ? codePoint - 0x20 : codePoint }
        guard let upper = Unicode.Scalar(codePoint)?.properties.uppercaseMapping.unicodeScalars, upper.count == 1,
            let only = upper.first
        else { return codePoint }
        return only.value
    }
}
