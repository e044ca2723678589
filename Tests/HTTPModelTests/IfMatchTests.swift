import HTTPModel
import Testing

@Suite("If-Match")
struct IfMatchTests {
    @Test(arguments: [
        (["*"], IfMatch.any), ([" * "], .any),
        (["\"AAAA=\""], .tag("AAAA=")), (["AAAA="], .tag("AAAA=")), (["\t\"a\" "], .tag("a")),
        (["\"a\\\"b\""], .tag("a\"b")), (["\"a,b\""], .tag("a,b")), (["\"\""], .tag("")),
        (["\"a"], .malformed), (["\""], .malformed), (["\"a\\\""], .malformed),
        (["W/\"a\""], .weak), (["W/a"], .weak),
        (["\"a\", \"b\""], .list), (["a,b"], .list), (["\"a\"", "\"b\""], .list), (["\"a\"x"], .list),
    ])
    func `the forms that clients send are told apart`(values: [String], expected: IfMatch) {
        #expect(IfMatch(values) == expected)
    }

    @Test(arguments: [[], [""], ["  "], ["\t"]] as [[String]])
    func `no field and a blank one are no condition`(values: [String]) {
        #expect(IfMatch(values) == nil)
    }
}
