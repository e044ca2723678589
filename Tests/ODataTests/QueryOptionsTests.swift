import OData
import Testing

@Suite("Query options of v2")
struct QueryOptionsTests {
    @Test func `no members leave every default`() throws {
        #expect(try QueryOptions.parse([]) == QueryOptions())
    }

    @Test func `every option is read`() throws {
        let options = try QueryOptions.parse([
            ("$filter", "a"), ("$orderby", "b desc"), ("$skip", "10"), ("$top", "5"), ("$select", "id, Text"),
            ("$inlinecount", "allpages"), ("__includeDeleted", "true"),
        ])
        var expected = QueryOptions()
        expected.filter = .column("a", at: 0)
        expected.order = [OrderTerm(.column("b", at: 0), isDescending: true)]
        expected.skip = 10
        expected.top = 5
        expected.select = [SelectedName("id", at: 0), SelectedName("Text", at: 4)]
        expected.wantsCount = true
        expected.includeDeleted = true
        #expect(options == expected)
    }

    @Test(arguments: [
        ("$Filter", "(("), ("$TOP", "x"), ("filter", "(("), ("$count", "true"), ("$expand", "x"), ("$format", "xml"),
        ("foo", "1"), ("__systemProperties", "*"), ("", ""), ("$", "x"),
    ])
    func `a member that is no option is ignored`(name: String, value: String) throws {
        #expect(try QueryOptions.parse([(name, value), (name, value)]) == QueryOptions())
    }

    @Test(arguments: ["$filter", "$orderby", "$select", "$top", "$skip", "$inlinecount", "__includeDeleted"])
    func `an empty option is as if absent`(name: String) throws {
        #expect(try QueryOptions.parse([(name, "")]) == QueryOptions())
        #expect(try QueryOptions.parse([(name, " \t"), (name, "")]) == QueryOptions())
    }

    @Test(arguments: [
        ("$filter", "a"), ("$orderby", "a"), ("$select", "a"), ("$top", "1"), ("$skip", "1"),
        ("$inlinecount", "none"), ("__includeDeleted", "true"),
    ])
    func `an option given twice is refused`(name: String, value: String) {
        #expect(throws: QueryError(name, at: nil, .repeated)) {
            try QueryOptions.parse([(name, value), ("other", "1"), (name, value)])
        }
    }

    @Test(arguments: [("0", 0), ("1", 1), ("050", 50), ("9223372036854775807", Int.max)])
    func `a count is a whole number`(text: String, value: Int) throws {
        #expect(try QueryOptions.parse([("$top", text)]).top == value)
        #expect(try QueryOptions.parse([("$skip", text)]).skip == value)
    }

    @Test(
        arguments: ["$top", "$skip"],
        ["-1", "3.7", "abc", "1e3", "5L", "+5", " 5", "5 ", "0x10", "٣", "9223372036854775808", "1,2"])
    func `a count that is none is refused`(option: String, text: String) {
        #expect(throws: QueryError(option, at: nil, .notACount(text))) { try QueryOptions.parse([(option, text)]) }
    }

    @Test(arguments: [("allpages", true), ("none", false), ("AllPages", false), ("true", false), ("1", false)])
    func `only allpages asks for a count`(text: String, wantsCount: Bool) throws {
        #expect(try QueryOptions.parse([("$inlinecount", text)]).wantsCount == wantsCount)
    }

    @Test(arguments: [("true", true), ("True", true), ("TRUE", true), ("false", false), ("1", false), ("yes", false)])
    func `only true includes the deleted rows`(text: String, includeDeleted: Bool) throws {
        #expect(try QueryOptions.parse([("__includeDeleted", text)]).includeDeleted == includeDeleted)
        #expect(try QueryOptions.parse([("__includedeleted", text)]).includeDeleted == includeDeleted)
    }

    @Test(arguments: [
        ("a", "a"), ("a asc", "a"), ("a desc", "a-"), ("a  desc", "a-"), ("a DESC ,\tb ASC", "a- b"),
        ("a,b desc,c", "a b- c"), ("tolower(t) desc", "tolower(t)-"), ("a add 1,-b", "(add a 1) (- b)"),
        ("desc desc", "desc-"), ("asc", "asc"), ("sub desc", "sub-"), ("mod,div asc", "mod div"),
        ("a,b,A desc,a", "a b"), ("substring(a,1,2),b", "substring(a, 1, 2) b"), ("item/a desc", "a-"),
        ("a eq 'x,y' desc", "(eq a ‘x,y’)-"),
    ])
    func `an order is a list of expressions and directions`(text: String, outline: String) throws {
        let terms = try QueryOptions.parse([("$orderby", text)]).order
        let found = terms.map { $0.expression.outline + ($0.isDescending ? "-" : "") }
        #expect(found.joined(separator: " ") == outline)
    }

    @Test(arguments: [("a", ["a"]), (" a ,b\t", ["a", "b"]), ("Title,title", ["Title", "title"]), ("_1", ["_1"])])
    func `a selection keeps the names as written`(text: String, names: [String]) throws {
        #expect(try QueryOptions.parse([("$select", text)]).select?.map(\.name) == names)
    }

    @Test(arguments: ["*", " * ", "id,*", "*,id"])
    func `a star selects all columns`(text: String) throws {
        #expect(try QueryOptions.parse([("$select", text)]).select == nil)
    }
}
