import OData
import TableSQL
import Tables
import Testing

@Suite("Queries that don't fit the table")
struct QueryErrorTests {
    @Test(arguments: [
        ("nothing eq 1", 0, "nothing"), ("title eq 'x' and Nothing gt 2", 17, "Nothing"),
        ("length(a/gone) eq 1", 9, "gone"), ("not eq 1", 0, "not"),
        (String(repeating: "a", count: 200) + " eq 1", 0, String(repeating: "a", count: 200)),
    ])
    func `an unknown column is named and pointed at`(filter: String, offset: Int, name: String) {
        #expect(throws: QueryError("$filter", at: offset, .unknownColumn(name))) {
            try QueryFixture.condition(filter)
        }
    }

    @Test(arguments: [
        // Comparisons
        ("title eq true", 6, "`eq` can't compare `title` (text) with a boolean."),
        ("false ne title", 6, "`ne` can't compare a boolean with `title` (text)."),
        ("price gt '1,5'", 6, "`gt` can't compare `price` (a number) with text."),
        ("count eq '1.5'", 6, "`eq` can't compare `count` (a number) with text."),
        ("count eq '05'", 6, "`eq` can't compare `count` (a number) with text."),
        ("price eq '12345678901234567891'", 6, "`eq` can't compare `price` (a number) with text."),
        ("price gt 'x'", 6, "`gt` can't compare `price` (a number) with text."),
        ("price eq true", 6, "`eq` can't compare `price` (a number) with a boolean."),
        ("done eq 2", 5, "`eq` can't compare `done` (a boolean) with a number."),
        ("done eq 'True'", 5, "`eq` can't compare `done` (a boolean) with text."),
        ("done eq 1.0", 5, "`eq` can't compare `done` (a boolean) with a number."),
        ("done lt count", 5, "`lt` can't compare `done` (a boolean) with `count` (a number)."),
        ("due eq 'tomorrow'", 4, "`eq` can't compare `due` (a date) with text."),
        ("due eq 2026", 4, "`eq` can't compare `due` (a date) with a number."),
        ("due gt title", 4, "`gt` can't compare `due` (a date) with `title` (text)."),
        ("price eq datetime'2026-01-01'", 6, "`eq` can't compare `price` (a number) with a date."),
        ("id eq 5", 3, "`eq` can't compare `id` (an id) with a number."),
        ("id gt datetime'2026-01-01'", 3, "`gt` can't compare `id` (an id) with a date."),
        ("version eq 5", 8, "`eq` can't compare `version` (a version) with a number."),
        ("version gt 'incorrect'", 8, "`gt` can't compare `version` (a version) with text."),
        ("version eq title", 8, "`eq` can't compare `version` (a version) with `title` (text)."),
        ("title eq X'00'", 6, "`eq` can't compare `title` (text) with binary data."),
        (
            "price eq guid'0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a'", 6,
            "`eq` can't compare `price` (a number) with a GUID."
        ),
        ("length(title) eq 'x'", 14, "`eq` can't compare a number with text."),
        // Conditions
        ("title", 0, "A filter is true or false, but this one is `title` (text)."),
        ("1", 0, "A filter is true or false, but this one is a number."),
        ("price add 1", 6, "A filter is true or false, but this one is a number."),
        ("done and title", 5, "`and` needs conditions, but it is given `title` (text)."),
        ("price or done", 6, "`or` needs conditions, but it is given `price` (a number)."),
        ("done or deleted or 'x'", 16, "`or` needs conditions, but it is given text."),
        ("not title", 0, "`not` needs conditions, but it is given `title` (text)."),
        ("not price eq 1", 0, "`not` needs conditions, but it is given `price` (a number)."),
        // Arithmetic
        ("title add 1 eq 2", 6, "`add` needs numbers, but it is given `title` (text)."),
        ("1 sub done eq 2", 2, "`sub` needs numbers, but it is given `done` (a boolean)."),
        ("price mul '2' eq 2", 6, "`mul` needs numbers, but it is given text."),
        ("due div 2 eq 2", 4, "`div` needs numbers, but it is given `due` (a date)."),
        ("count mod due eq 2", 6, "`mod` needs numbers, but it is given `due` (a date)."),
        ("1 eq -title", 5, "`-` needs numbers, but it is given `title` (text)."),
        // Arguments
        ("length(price) eq 1", 7, "`length` takes text here, not `price` (a number)."),
        ("startswith(title,1)", 17, "`startswith` takes text here, not a number."),
        ("startswith(due,'2')", 11, "`startswith` takes text here, not `due` (a date)."),
        ("substringof(done,title)", 12, "`substringof` takes text here, not `done` (a boolean)."),
        ("concat(title,done) eq 'x'", 13, "`concat` takes text here, not `done` (a boolean)."),
        ("concat(title,count add 1) eq 'x'", 19, "`concat` takes text here, not a number."),
        ("substring(title,'1') eq 'x'", 16, "`substring` takes a number here, not text."),
        ("substring(title,1,done) eq 'x'", 18, "`substring` takes a number here, not `done` (a boolean)."),
        ("year(price) eq 1", 5, "`year` takes a date here, not `price` (a number)."),
        ("second(id) eq 1", 7, "`second` takes a date here, not `id` (an id)."),
        ("floor(title) eq 1", 6, "`floor` takes a number here, not `title` (text)."),
        ("round(true) eq 1", 6, "`round` takes a number here, not a boolean."),
        ("replace(title,'a',note) eq 'x'", 18, "The third argument of `replace` must be text between apostrophes."),
        ("replace(title,'a',null) eq 'x'", 18, "The third argument of `replace` must be text between apostrophes."),
        ("replace(price,'a','b') eq 'x'", 8, "`replace` takes text here, not `price` (a number)."),
    ])
    func `kinds that don't go together are named and pointed at`(filter: String, offset: Int, sentence: String) {
        #expect(throws: QueryError("$filter", at: offset, .typeClash(sentence))) {
            try QueryFixture.condition(filter)
        }
    }

    @Test func `a numbered id refuses text that is no number`() {
        let sentence = "`eq` can't compare `id` (a number) with text."
        #expect(throws: QueryError("$filter", at: 3, .typeClash(sentence))) {
            try QueryFixture.condition("id eq 'x'", table: QueryFixture.numbered)
        }
    }

    @Test func `a selection names columns in any case, each once`() throws {
        let names = ["TITLE", "Id", "title", "updatedat"].map { SelectedName($0, at: 0) }
        #expect(try QueryFixture.todo.fields(for: names).map(\.name) == ["title", "id", "updatedAt"])
        #expect(throws: QueryError("$select", at: 3, .unknownColumn("x"))) {
            try QueryFixture.todo.fields(for: [SelectedName("id", at: 0), SelectedName("x", at: 3)])
        }
    }

    @Test(arguments: [
        ("tolower(", "title", ") eq 'x'", 30), ("not(", "done", ")", 45), ("-(", "price", ") eq 1", 45),
        ("(done or not (price gt 1 and ", "done", "))", 20), ("concat('a',", "title", ") eq 'x'", 30),
    ])
    func `what would overflow the database's parser is refused`(
        opening: String, inner: String, closing: String, times: Int
    ) throws {
        let (closing, end) = (closing.prefix(while: { $0 == ")" }), closing.drop(while: { $0 == ")" }))
        func filter(_ times: Int) -> String {
            String(repeating: opening, count: times) + inner + String(repeating: String(closing), count: times) + end
        }
        #expect(throws: Never.self) { try QueryFixture.condition(filter(10)) }
        let error = try #require(throws: QueryError.self) { try QueryFixture.condition(filter(times)) }
        guard case .overLimit(.levelsOfSQL, SQLiteDialect().maximumDepth, let found) = error.reason else {
            Issue.record("another reason: \(error.reason)")
            return
        }
        #expect(found > SQLiteDialect().maximumDepth)
    }

    @Test(arguments: [
        ("done or ", "done"), ("done and ", "done"), ("price add ", "price gt 1"), ("price mul ", "price gt 1"),
    ])
    func `long chains are no deeper than short ones`(link: String, end: String) throws {
        let chain = String(repeating: link, count: 498) + end
        #expect(try QueryFixture.condition(chain).text.count > 498)
    }

    @Test func `alternatives nested by a client are one chain`() throws {
        let alternatives = (1...99).reduce("title eq 'a0'") { "(\($0) or title eq 'a\($1)')" }
        let condition = try QueryFixture.condition(alternatives)
        // Three more are the guard's, as the text is read a hundred times.
        #expect(condition.bindings.count == 103)
        #expect(condition.text.ranges(of: " OR ").count == 99)
        #expect(!condition.text.contains("(("))
    }
}
