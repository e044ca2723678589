import TableSQL
import Testing

@Suite("Case in text")
struct TextFoldTests {
    private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        TextFold.compare(left.span, right.span).signum()
    }

    private func replace(_ pattern: String, in text: String, with new: String) -> String {
        let (pattern, text, new) = (Array(pattern.utf8), Array(text.utf8), Array(new.utf8))
        return String(decoding: TextFold.replacing(pattern.span, in: text.span, with: new.span), as: UTF8.self)
    }

    @Test(arguments: [
        ("", "", ""), ("Tea 42!", "tea 42!", "TEA 42!"), ("École", "école", "ÉCOLE"), ("ЖУК", "жук", "ЖУК"),
        ("Σίσυφος", "σίσυφος", "ΣΊΣΥΦΟΣ"), ("straße", "straße", "STRAßE"), ("İı", "İı", "İI"), ("日本🎈", "日本🎈", "日本🎈"),
        ("𐐀𐐨", "𐐨𐐨", "𐐀𐐀"), ("@[`{", "@[`{", "@[`{"),
    ])
    func `each code point becomes one`(text: String, lower: String, upper: String) {
        #expect(TextFold.lowered(text) == lower)
        #expect(TextFold.uppered(text) == upper)
        #expect(TextFold.lowered(text).unicodeScalars.count == text.unicodeScalars.count)
    }

    @Test func `no other character becomes an ASCII one in lower case`() {
        for value in UInt32(0x80)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { continue }
            let lower = TextFold.lowered(String(scalar)).unicodeScalars
            #expect(lower.allSatisfy { !$0.isASCII })
        }
    }

    @Test(arguments: [
        ("a", "A", 0), ("É", "é", 0), ("a", "b", -1), ("B", "a", 1), ("a", "ab", -1), ("Z", "_", 1), ("z", "é", -1),
        ("é", "É1", -1), ("", "", 0), ("", "a", -1), ("\u{FFFF}", "\u{10000}", -1), ("a\u{0}b", "A\u{0}c", -1),
        ("K", "\u{212A}", -1),
    ])
    func `texts sort by the code points of their lower case`(left: String, right: String, order: Int) {
        #expect(compare(Array(left.utf8), Array(right.utf8)) == order)
        #expect(compare(Array(right.utf8), Array(left.utf8)) == -order)
    }

    @Test(arguments: [
        [0xFF], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ])
    func `bytes that are no text stay and sort last`(bytes: [UInt8]) {
        #expect(TextFold.lowered(bytes.span) == bytes)
        #expect(TextFold.uppered(bytes.span) == bytes)
        #expect(compare(bytes, bytes) == 0)
        #expect(compare(bytes, Array("\u{10FFFF}".utf8)) == 1)
    }

    @Test(arguments: [
        ("a", "banana", "o", "bonono"), ("AN", "banana", "-", "b--a"), ("é", "École é", "E", "Ecole E"),
        ("", "abc", "x", "abc"), ("abc", "ab", "x", "ab"), ("aa", "aaa", "b", "ba"), ("b", "abc", "", "ac"),
        ("本", "日本", "é", "日é"), ("x", "", "y", ""),
    ])
    func `a pattern is replaced wherever it stands in any case`(
        pattern: String, text: String, new: String, result: String
    ) {
        #expect(replace(pattern, in: text, with: new) == result)
    }
}
