import TableSQL
import Testing

@Suite("Case in text")
struct TextFoldTests {
    private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        TextFold.compare(left.span, right.span).signum()
    }

    private func replace(
        _ pattern: String, in text: String, with new: String, within most: Int = .max, goesOn: () -> Bool = { true }
    ) throws(TextFold.Obstacle) -> String {
        let (pattern, text, new) = (Array(pattern.utf8), Array(text.utf8), Array(new.utf8))
        let replaced = try TextFold.replacing(pattern.span, in: text.span, with: new.span, within: most, goesOn: goesOn)
        return String(decoding: replaced, as: UTF8.self)
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
    ) throws {
        #expect(try replace(pattern, in: text, with: new) == result)
    }

    @Test func `patterns that begin anew within themselves are found as one letter after the other`() throws {
        var random = SystemRandomNumberGenerator()
        func word(_ count: Int) -> String {
            String((0..<count).map { _ in "aAbé".randomElement(using: &random) ?? "a" })
        }
        for _ in 0..<2_000 {
            let (text, pattern) = (word(Int.random(in: 0...40)), word(Int.random(in: 1...5)))
            let (scalars, sought) = (
                Array(text.unicodeScalars), Array(TextFold.lowered(pattern).unicodeScalars)
            )
            let folded = Array(TextFold.lowered(text).unicodeScalars)
            var (expected, place) = (String.UnicodeScalarView(), 0)
            while place < scalars.count {
                if folded[place...].starts(with: sought) {
                    expected.append(contentsOf: "-é".unicodeScalars)
                    place += sought.count
                } else {
                    expected.append(scalars[place])
                    place += 1
                }
            }
            #expect(try replace(pattern, in: text, with: "-é") == String(expected), "\(pattern) in \(text)")
        }
    }

    @Test func `what becomes too long, or takes too long, is given up`() throws {
        #expect(try replace("a", in: "banana", with: "oo", within: 9) == "boonoonoo")
        #expect(throws: TextFold.Obstacle.tooLong) { try replace("a", in: "banana", with: "oo", within: 8) }
        #expect(throws: TextFold.Obstacle.tooLong) { try replace("", in: "banana", with: "", within: 5) }
        let long = String(repeating: "a", count: 1 << 20)
        #expect(throws: TextFold.Obstacle.stopped) { try replace("b", in: long, with: "", goesOn: { false }) }
    }
}
