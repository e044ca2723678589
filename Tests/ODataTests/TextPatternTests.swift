import Foundation
import OData
import SeedTesting
import Testing

@Suite struct `The pattern of matchesPattern` {
    static let patterns = [
        "", "a", "abc", "^a", "a$", "^$", "^abc$", "a.c", "a*", "^a*$", "a+b", "^(ab)+$", "a?b", "[abc]", "[^abc]",
        "[a-c]x", "[^a-c]$", "[]-]".replacing("[]", with: "[\\]"), "a|b", "^(a|bc)$", "^(?:a|bc|)d", "a{2}", "^a{2,}$",
        "^a{1,2}$", "^(a{2}){2}$", "\\d", "^\\d+$", "\\D", "^\\w+$", "\\W", "\\s", "^\\S+$", "\\.", "a\\.c", "\\(a\\)",
        "[\\d.]+$", "[\\w-]b", "^.{3}$", "é", "^[à-ü]$", "日+", "a*?b", "(a*)*b", "(a|aa)+$", "^(a?){20}a{20}$", "\\t",
        "[\\n\\r]", "a\\/b", "[.^*]", "-", "^a-c$", "(((a)))", "x|^$",
    ]
    static let texts = [
        "", "a", "b", "abc", "aabb", "ab", "abab", "a.c", "axc", "aaa", "aaaa", "bcd", "ad", "d", "12", "1.5", "a1",
        "a b",
        "(a)", "a-c", "-b", "é", "ü", "日本", "日日", "a\nc", "a\r", "\t", "a/b", "*", "^", "𝄞", "x𝄞c", "A",
        "aaaaaaaaaaaaaaaaaaaa",
    ]

    @Test(arguments: patterns)
    func `matches what ECMAScript's would`(_ written: String) throws {
        let pattern = try TextPattern(written)
        // Foundation's are ICU's, whose `$` also stands before a last line end, and whose words are of every script.
        let other = written.replacing("\\w", with: "[A-Za-z0-9_]").replacing("\\W", with: "[^A-Za-z0-9_]")
            .replacing("$", with: "\\z")
        let expected = try NSRegularExpression(pattern: other.isEmpty ? "(?:)" : other)
        for text in Self.texts {
            let range = NSRange(text.startIndex..., in: text)
            #expect(
                pattern.matches(text) == (expected.firstMatch(in: text, range: range) != nil), "\(written) in \(text)")
        }
    }

    private static let malformed: [(String, Int)] = [
        ("*a", 0), ("a**", 2), ("a(", 1), ("a)", 1), ("(?=a)", 0), ("(?<n>a)", 0), ("[a", 0), ("[]", 0), ("a[c-a]", 2),
        ("é[", 2), ("a{", 1), ("a{2", 1), ("a{3,2}", 1), ("a{101}", 1), ("a{,2}", 1), ("\\", 0), ("a\\1", 1),
        ("\\b", 0),
        ("[\\D]", 1), ("^*", 1), ("[[]", 1), ("((a{100}){100}){100}", 0), (String(repeating: "(", count: 21), 20),
        (String(repeating: "a", count: 257), 0),
    ]

    @Test(arguments: malformed)
    func `that can't be read is told with the place`(_ written: String, _ offset: Int) {
        #expect { try TextPattern(written) } throws: { ($0 as? TextPattern.Fault)?.offset == offset }
    }

    @Test(arguments: ["(t|a)*a(t|a){60}z", "a(t|a|é){60}z|zz", "(a?t?){0,60}(zé|éz)$"])
    func `matches as before once it has met more places than it keeps`(_ written: String) throws {
        let matcher = TextPatternMatcher(try TextPattern(written))
        var generator = SeededGenerator.printed("a pattern beyond its places")
        let texts = (0..<2).map { _ in
            String((0..<8_000).map { _ in ["a", "t"].randomElement(using: &generator) ?? "a" })
        }
        for text in texts {
            #expect(matcher.matches(text) { true } == false)
            let end = "a" + String(repeating: "t", count: 60) + (written.hasSuffix("$") ? "zé" : "z")
            #expect(matcher.matches(text + end) { true } == true)
        }
    }

    @Test func `is given up where it is told so`() throws {
        let matcher = TextPatternMatcher(try TextPattern("(((((((t+)+)+)+)+)+)+)+z$"))
        let text = String(repeating: "t", count: 1_000_000)
        var questions = 0
        let found = matcher.matches(text) {
            questions += 1
            return questions < 3
        }
        #expect(found == nil && questions == 3)
        #expect(matcher.matches(text) { true } == false)
        #expect(matcher.matches(text + "z") { true } == true)
    }

    @Test func `takes no time that grows faster than the text`() throws {
        let pattern = try TextPattern("^(a|a|aa)*(a*)*$")
        #expect(!pattern.matches(String(repeating: "a", count: 5_000) + "b"))
    }
}
