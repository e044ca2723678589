import HTTPModel
import Testing

@Suite("Entity tags")
struct EntityTagsTests {
    @Test(arguments: [
        (["*"], EntityTags.any), ([" * "], .any), (["\"a\", *"], .any),
        (["\"AAAA=\""], .strong(["AAAA="])), (["AAAA="], .strong(["AAAA="])),
        (["\"a\", \"b\""], .strong(["a", "b"])), (["\"a\",\"b\",c"], .strong(["a", "b", "c"])),
        (["\"a\"", "\"b\""], .strong(["a", "b"])), (["\"a,b\""], .strong(["a,b"])), (["\"\""], .strong([""])),
        (["W/\"a\""], .strong([])), (["W/\"a\", \"b\""], .strong(["b"])), (["W/a"], .strong([])),
        (["W/*"], .strong([])), ([", \"a\" ,,"], .strong(["a"])), (["\"a"], .strong(["a"])),
    ])
    func `a list holds its strong tags`(values: [String], expected: EntityTags) {
        #expect(EntityTags(values) == expected)
    }

    @Test(arguments: [[], [""], ["  "], ["\t", ""], [","]] as [[String]])
    func `no field and blank ones are no condition`(values: [String]) {
        #expect(EntityTags(values) == nil)
    }
}
