import Testing

@testable import TestMode

@Suite struct `Patterns of paths` {
    @Test(arguments: [
        ("/tables/todo", "/tables/todo", true), ("/tables/todo/", "/tables/todo", true), ("/a", "/A", false),
        ("/tables/*", "/tables/todo", true), ("/tables/*", "/tables/todo/1", false), ("/tables/*", "/tables/", true),
        ("/tables/*", "/tables", false), ("/*/todo", "/tables/todo", true), ("/t*s/t*o", "/tables/todo", true),
        ("/tables/**", "/tables/todo/1", true), ("/tables/**", "/tables", true), ("/tables/**", "/tablesx", false),
        ("/**/1", "/tables/todo/1", true), ("/**/1", "/1", true), ("/a/**/b", "/a/b", true),
        ("/a/**/b", "/a/x/y/b", true), ("/a/**/b", "/a/xb", false), ("**", "/anything/at/all", true), ("**", "", true),
        ("/ta**", "/tables/todo", true), ("/a***/b", "/a/x/b", true), ("/**/**/b", "/b", true), ("", "", true),
        ("", "/", false), ("/", "/", true), ("/tables/a?b", "/tables/a?b", true), ("/ä*", "/äö", true),
        ("*/*", "a/b", true), ("*a*b", "xaxbxaxb", true), ("*a*b", "xaxbx", false),
        ("*/**", "a", true), ("*/**", "a/b", true), ("**/**/x", "x", false), ("**/**/x", "/x", true),
        ("*/**/b", "a/b", true),
        ("/**/**/**", "", true), ("/a*/**", "/a", true), ("/a*/**", "/ab/c", true),
    ])
    func `match as stars say`(pattern: String, path: String, matches: Bool) throws {
        #expect(try #require(PathGlob(pattern)).matches(path) == matches)
    }

    @Test func `match what their definition says, for all short ones`() throws {
        func texts(_ letters: String, upTo length: Int) -> [String] {
            var all = [""]
            var last = all
            for _ in 0..<length {
                last = last.flatMap { text in letters.map { text + String($0) } }
                all += last
            }
            return all
        }
        let paths = texts("a/", upTo: 5)
        for pattern in texts("a/*", upTo: 6) where pattern.count < 2 || !pattern.hasSuffix("/") {
            let glob = try #require(PathGlob(pattern))
            for path in paths where glob.matches(path) != PathGlobReference.matches(pattern[...], path[...]) {
                Issue.record("\(pattern) and \(path)")
            }
        }
    }

    @Test func `with many stars take the time of path times pattern and no more`() throws {
        let path = String(repeating: "a", count: 8_000)
        for pattern in ["*a", "**a", "/**/a"] {
            let glob = try #require(PathGlob(String(repeating: pattern, count: 200) + "b"))
            // A matcher that tried one way after the other would not come back.
            #expect(!glob.matches(path))
        }
    }

    @Test func `are not longer than they may be`() {
        #expect(PathGlob(String(repeating: "a", count: PathGlob.maximumLength)) != nil)
        #expect(PathGlob(String(repeating: "a", count: PathGlob.maximumLength + 1)) == nil)
    }

    @Test(arguments: [
        ("aab", "aaab", true), ("aab", "aaa", false), ("", "", true), ("abab", "ababab", true),
        ("abcabd", "abcabcabd", true),
        ("a", "", false),
    ])
    func `texts are found in bodies`(text: String, body: String, isFound: Bool) {
        #expect(ByteSearch(text).isFound(in: body.utf8) == isFound)
    }

    @Test func `a text that nearly occurs everywhere is looked for in linear time`() {
        let search = ByteSearch(String(repeating: "a", count: 100_000) + "b")
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        // Comparing anew at each place would take a hundred thousand times as long.
        #expect(!search.isFound(in: body))
    }
}
