import CurlClient
import HTTPModel

/// A condition, and the rows of the shelf that it finds. `MARK` is the word that all their texts begin with.
private struct FilterCase {
    let name: String
    let rule: String
    let filter: String
    let letters: String
    let generations: [WireGeneration]

    init(
        _ name: String, _ rule: String, _ filter: String, finds letters: String,
        on generations: [WireGeneration] = WireGeneration.allCases
    ) {
        self.name = name
        self.rule = rule
        self.filter = filter
        self.letters = letters
        self.generations = generations
    }

    var check: Check {
        Check("filter/\(name)", "In a filter \(rule).", on: generations) { visit throws(CheckEnd) in
            try await run(visit)
        }
    }

    private func run(_ visit: CheckContext) async throws(CheckEnd) {
        let shelf = try await visit.shelf()
        var words = filter.replacing("MARK", with: shelf.mark)
        for letter in "abcdef" { words = words.replacing("ID(\(letter))", with: "'\(shelf.id(letter))'") }
        // Where a word begins and how long a text is depends on the mark.
        let start = shelf.mark.utf16.count + 1
        for (name, number) in [("LENGTH(apple)", start + 5), ("START(0)", start), ("START(1)", start + 7)] {
            words = words.replacing(name, with: String(number))
        }
        let listing = try await visit.listed([], where: words, mark: shelf.mark)
        let found = String(shelf.letters(listing.rows).sorted())
        let condition = try visit.named(words)
        try listing.answer.expect(
            found == letters, "the rows `\(letters)` of the six for `\(condition)`",
            came: found.isEmpty ? "no rows" : "the rows `\(found)`")
    }
}

extension Checks {
    static let filter: [Check] = comparisons.map(\.check) + functions.map(\.check) + literals.map(\.check) + refusals

    private static let older: [WireGeneration] = [.v1, .v2]

    private static let comparisons: [FilterCase] = [
        FilterCase("eq", "`eq` finds what is equal", "{integer} eq 2", finds: "b"),
        FilterCase("ne", "`ne` finds what is not equal", "{integer} ne 2", finds: "acdef"),
        FilterCase("gt", "`gt` finds what is greater", "{number} gt 2.5", finds: "de"),
        FilterCase("ge", "`ge` finds what is greater or equal", "{number} ge 2.5", finds: "bde"),
        FilterCase("lt", "`lt` finds what is less", "{number} lt 0", finds: "c"),
        FilterCase("le", "`le` finds what is less or equal", "{number} le 0", finds: "cf"),
        FilterCase("and", "`and` asks for both", "{integer} ge 2 and {integer} le 3", finds: "bc"),
        FilterCase("or", "`or` asks for one of both", "{integer} eq 1 or {integer} eq 6", finds: "af"),
        FilterCase(
            "and-before-or", "`and` binds more than `or`",
            "{boolean} eq false and {integer} eq 2 or {integer} eq 1", finds: "ab"),
        FilterCase("not", "`not` turns a condition round", "not ({integer} eq 2)", finds: "acdef"),
        FilterCase(
            "parentheses", "parentheses go first", "({integer} eq 1 or {integer} eq 2) and {boolean} eq true",
            finds: "a"),
        FilterCase("null", "`eq null` finds what is null", "{date} eq null", finds: "d"),
        FilterCase("not-null", "`ne null` finds what is not", "{date} ne null", finds: "abcef"),
        FilterCase("boolean", "a boolean is compared with `true`", "{boolean} eq true", finds: "acf"),
        FilterCase("a-bare-boolean", "a boolean column is a condition", "{boolean}", finds: "acf"),
        FilterCase("not-a-bare-boolean", "`not` takes a boolean column", "not({boolean})", finds: "bde"),
        FilterCase("text", "a text is compared with a literal", "{text} eq 'MARK apple'", finds: "af"),
        FilterCase("an-apostrophe", "an apostrophe is written twice", "{text} eq 'MARK cherry''s'", finds: "c"),
        FilterCase(
            "other-scripts", "a text may be of any script", "{text} eq 'MARK élan 日本 😀'", finds: "e"),
        FilterCase("id", "an id is compared with a text", "id eq ID(c)", finds: "c"),
        FilterCase(
            "a-list-of-ids", "a chain of `or` may be as long as a small list",
            "id eq ID(a) or id eq ID(b) or id eq ID(c) or id eq ID(d) or id eq ID(e) or id eq ID(f)", finds: "abcdef"),
        FilterCase("in", "`in` finds what is in a list", "{integer} in (1,6)", finds: "af", on: [.v3]),
        FilterCase("constants-true", "`1 eq 1` is true", "(1 eq 1)", finds: "abcdef", on: older),
        FilterCase("constants-false", "`1 eq 0` is false", "(1 eq 0)", finds: "", on: older),
    ]

    private static let functions: [FilterCase] = [
        FilterCase("add", "`add` adds", "{integer} add 1 eq 3", finds: "b"),
        FilterCase("sub", "`sub` subtracts", "{integer} sub 1 eq 3", finds: "d"),
        FilterCase("mul", "`mul` multiplies", "{integer} mul 2 eq 6", finds: "c"),
        FilterCase("div", "`div` divides with a fraction", "{number} div 2.0 eq 1.25", finds: "b"),
        FilterCase("mod", "`mod` is the rest", "{integer} mod 2 eq 1", finds: "ace"),
        FilterCase("startswith", "`startswith` asks for the beginning", "startswith({text},'MARK app')", finds: "af"),
        FilterCase("endswith", "`endswith` asks for the end", "endswith({text},'pie')", finds: "b"),
        FilterCase(
            "substringof", "`substringof` finds a text in another", "substringof('anan',{text})", finds: "b",
            on: older),
        FilterCase("contains", "`contains` finds a text in another", "contains({text},'anan')", finds: "b", on: [.v3]),
        FilterCase("length", "`length` counts", "length({text}) eq LENGTH(apple)", finds: "af"),
        FilterCase("indexof", "`indexof` counts from 0", "indexof({text},'pie') eq START(1)", finds: "b"),
        FilterCase(
            "indexof-missing", "`indexof` is -1 where there is none", "indexof({text},'pie') eq -1", finds: "acdef"),
        FilterCase("substring", "`substring` counts from 0", "substring({text},START(0)) eq 'apple'", finds: "af"),
        FilterCase(
            "substring-of-three", "`substring` takes a length", "substring({text},START(0),3) eq 'app'", finds: "af"),
        FilterCase("tolower", "`tolower` makes small letters", "tolower({text}) eq 'MARK banana pie'", finds: "b"),
        FilterCase("toupper", "`toupper` makes capitals", "startswith(toupper({text}),toupper('MARK b'))", finds: "b"),
        FilterCase("trim", "`trim` leaves other text alone", "trim({text}) eq 'MARK apple'", finds: "af"),
        FilterCase("concat", "`concat` joins", "concat({text},'!') eq 'MARK apple!'", finds: "af"),
        FilterCase(
            "replace", "`replace` exchanges", "replace({text},'apple','plum') eq 'MARK plum'", finds: "af", on: [.v1]),
        FilterCase("year", "`year` is a part of a date", "year({date}) eq 2001", finds: "af"),
        FilterCase("month", "`month` is a part of a date", "month({date}) eq 11", finds: "b"),
        FilterCase("day", "`day` is a part of a date", "day({date}) eq 29", finds: "e"),
        FilterCase("hour", "`hour` is a part of a date, in UTC", "hour({date}) eq 13", finds: "b"),
        FilterCase("minute", "`minute` is a part of a date", "minute({date}) eq 14", finds: "b"),
        FilterCase("second", "`second` is a part of a date", "second({date}) eq 15", finds: "b"),
        FilterCase("floor", "`floor` goes down", "floor({number}) eq -4", finds: "c"),
        FilterCase("ceiling", "`ceiling` goes up", "ceiling({number}) eq -3", finds: "c"),
        FilterCase("round", "`round` goes to the nearest", "round({number}) eq -3", finds: "c"),
    ]

    private static let literals: [FilterCase] = [
        FilterCase("negative-numbers", "a number may be negative", "{number} eq -3.25", finds: "c"),
        FilterCase("exponents", "a number may have an exponent", "{number} eq 1E+02 or {number} eq 15e-1", finds: "ad"),
        FilterCase(
            "suffixes", "a number may say its type by a letter",
            "{integer} eq 2L or {number} eq 1.5d or {number} eq 100M or {number} eq 7f", finds: "abde"),
        FilterCase(
            "datetimeoffset", "a date is compared to the millisecond",
            "{date} eq datetimeoffset'2001-02-03T04:05:06.789Z'", finds: "a", on: older),
        FilterCase(
            "datetimeoffset-with-seven-digits", "a date may be written as .NET writes it",
            "{date} eq datetimeoffset'2001-02-03T04:05:06.7890000+00:00'", finds: "a", on: older),
        FilterCase(
            "datetime", "`datetime` is a point in UTC too", "{date} eq datetime'2001-02-03T04:05:06.790Z'", finds: "f",
            on: older),
        FilterCase(
            "dates-before-1970", "a date may be before 1970",
            "{date} lt datetimeoffset'1970-01-01T00:00:00.000Z'", finds: "c", on: older),
        FilterCase(
            "cast", "a date is compared to the millisecond",
            "{date} eq cast(2001-02-03T04:05:06.789Z,Edm.DateTimeOffset)", finds: "a", on: [.v3]),
        FilterCase(
            "bare-dates", "a date may stand there without a cast", "{date} eq 2001-02-03T04:05:06.790Z", finds: "f",
            on: [.v3]),
        FilterCase(
            "casts-before-1970", "a date may be before 1970",
            "{date} lt cast(1970-01-01T00:00:00.000Z,Edm.DateTimeOffset)", finds: "c", on: [.v3]),
        FilterCase(
            "null-is-unequal", "`ne` finds null too, as in C#", "{date} ne 2024-02-29T00:00:00.000Z", finds: "abcdf",
            on: [.v3]),
    ]

    private static let refusals: [Check] = [
        Check("filter/column-names-in-any-case", "In a filter and an order a column's name may be written in any case.")
        {
            visit throws(CheckEnd) in
            let shelf = try await visit.shelf()
            let name = try visit.column(.text).uppercased()
            let listing = try await visit.listed(
                [("$orderby", "ID desc")], where: "\(name) eq '\(shelf.mark) apple'", mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("fa"), as: "the rows")
        },
        Check("filter/a-plus-is-a-blank", "A plus in a query is a blank.") { visit throws(CheckEnd) in
            let shelf = try await visit.shelf()
            let filter = "\(try visit.column(.text))+eq+'\(shelf.mark)+apple'"
            let system = visit.generation == .v1 ? "&__systemProperties=*" : ""
            var request = visit.request(.get, visit.path())
            request.url = "\(visit.target.address)\(visit.path())?$filter=\(filter)&%24orderby=id\(system)"
            let listing = try await visit.send(request).listing()
            try visit.expect(listing, has: shelf.ids("af"), as: "the rows")
        },
        Check("filter/a-syntax-error-answers-400", "A filter that can't be read answers 400.") {
            visit throws(CheckEnd) in
            try await visit.list(where: "{text} eq").expect(status: 400)
        },
        Check("filter/an-unknown-function-answers-400", "A function that there is not answers 400.") {
            visit throws(CheckEnd) in
            try await visit.list(where: "zcshout({text}) eq 'x'").expect(status: 400)
        },
        Check("filter/an-unknown-column", "A column that there is not answers 400, or no rows.") {
            visit throws(CheckEnd) in
            let shelf = try await visit.shelf()
            let answer = try await visit.list(where: "zcnosuchcolumn eq 1", mark: shelf.mark)
            try answer.expect(status: 200, 400)
            guard answer.status == 200 else { return }
            try visit.expect(answer.listing(), has: [], as: "no rows")
        },
    ]
}
