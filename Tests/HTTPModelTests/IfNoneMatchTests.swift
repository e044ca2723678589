import HTTPModel
import Testing

@Suite struct `If-None-Match` {
    @Test(
        arguments: [
            (["*"], .any), ([" * "], .any), (["\"a\""], .tags(["a"])), (["\"a\", \"b,c\""], .tags(["a", "b,c"])),
            (["W/\"a\""], .tags(["a"])), (["\"a\"", "\"b\""], .tags(["a", "b"])), (["\"\""], .tags([""])),
            ([], nil), ([""], nil), (["a"], nil),
        ] as [([String], IfNoneMatch?)])
    func `is an asterisk or a list of tags in quotes`(_ values: [String], _ expected: IfNoneMatch?) {
        #expect(IfNoneMatch(values) == expected)
    }

    @Test func `holds for a tag of its list, or for every one`() throws {
        let list = try #require(IfNoneMatch(["\"a\", \"b\""]))
        #expect(list.holds("b"))
        #expect(!list.holds("c"))
        #expect(try #require(IfNoneMatch(["*"])).holds("c"))
    }
}
