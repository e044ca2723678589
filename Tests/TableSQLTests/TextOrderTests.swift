import SeedTesting
import TableSQL
import Testing

@Suite("The order of text")
struct TextOrderTests {
    private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        TextOrder.compare(left.span, right.span).signum()
    }

    /// How two keys sort, by their bytes in UTF-8.
    private func compareKeys(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(TextOrder.key(of: left).utf8), Array(TextOrder.key(of: right).utf8))
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    @Test(arguments: [
        ("", ""), ("Tea 42!", "tea 42!"), ("Amélie", "amelie\u{0}ame\u{301}lie"), ("STRAẞE", "strasse"), ("ﬁn", "fin"),
        ("ΟΔΟΣ", "οδοσ"), ("Łódź", "łodz\u{0}ło\u{301}dz\u{301}"), ("İ", "i\u{0}i\u{307}"), ("ı", "ı"),
        ("한", "\u{1112}\u{1161}\u{11AB}"), ("ᾳ", "α\u{0}αι"), ("e\u{302}\u{323}", "e\u{0}e\u{323}\u{302}"),
        ("中文", "中文"),
        ("Ａ①½", "a11\u{2044}2"), ("Ꭰꭰ", "ᎠᎠ"),
    ])
    func `the key has neither case nor accents, which follow where there are any`(text: String, key: String) {
        #expect(TextOrder.key(of: text).unicodeScalars.elementsEqual(key.unicodeScalars))
    }

    @Test func `texts compare as their keys`() {
        let pieces = [
            "", "a", "A", "b", "z", "~", "\0", "\u{1}", "\u{301}", "\u{323}", "é", "É", "ß", "ss", "ﬁ", "f", "i", "가",
            "각", "ㄱ",
            "Ж", "ж", "中", "🎉", "\u{345}", "α", "\u{10FFFF}", " ",
        ]
        let texts = pieces + pieces.flatMap { first in pieces.map { first + $0 } }
        var generator = SeededGenerator.printed("texts compare as their keys")
        for left in texts.shuffled(using: &generator).prefix(300) {
            for right in texts {
                let found = compare(Array(left.utf8), Array(right.utf8))
                let expected = compareKeys(left, right)
                if found != expected { Issue.record("\(left.debugDescription) \(right.debugDescription)") }
            }
        }
    }

    @Test func `ASCII sorts as SQLite's NOCASE does`() {
        for first in UInt8(1)...0x7F {
            for second in UInt8(1)...0x7F {
                let lower = { (byte: UInt8) in (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
                let expected = (Int(lower(first)) - Int(lower(second))).signum()
                #expect(compare([0x61, first], [0x41, second]) == expected)
            }
        }
    }

    @Test func `bytes that are no UTF-8 have their place too`() {
        #expect(compare([0x61, 0xFF], [0x61]) == 1)
        #expect(compare([0xC3], [0xC3, 0xA9]) == 1)
        #expect(compare([0xFF, 0x61], [0xFF, 0x41]) == 0)
    }
}
