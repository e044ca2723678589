import CurlClient
import HTTPModel

extension Check {
    /// A condition, and the sample rows that it finds. `MARK` is the word that all their texts begin with.
    fileprivate static func filter(
        _ name: String, _ rule: String, _ filter: String, finds letters: String,
        on generations: [WireGeneration] = WireGeneration.allCases
    ) -> Check {
        .ofSamples(name, "In a filter \(rule).", on: generations) { context, samples in
            var words = filter.replacing("MARK", with: samples.mark)
            for letter in "abcdef" { words = words.replacing("ID(\(letter))", with: "'\(samples.id(letter))'") }
            // Where a word begins and how long a text is depends on the mark.
            let start = samples.mark.utf16.count + 1
            for (name, number) in [("LENGTH(apple)", start + 5), ("START(0)", start), ("START(1)", start + 7)] {
                words = words.replacing(name, with: String(number))
            }
            let listing = try await context.listed([], where: words, mark: samples.mark)
            let found = String(samples.letters(listing.rows).sorted())
            let condition = try context.named(words)
            try listing.expect(
                found == letters, "the rows `\(letters)` of the six for `\(condition)`",
                came: found.isEmpty ? "no rows" : "the rows `\(found)`")
        }
    }
}

extension Checks {
    static let filter: [Check] = comparisons + functions + literals + refusals

    private static let older: [WireGeneration] = [.v1, .v2]

    private static let comparisons: [Check] = [
        .filter("eq", "`eq` finds what is equal", "{integer} eq 2", finds: "b"),
        .filter("ne", "`ne` finds what is not equal", "{integer} ne 2", finds: "acdef"),
        .filter("gt", "`gt` finds what is greater", "{number} gt 2.5", finds: "de"),
        .filter("ge", "`ge` finds what is greater or equal", "{number} ge 2.5", finds: "bde"),
        .filter("lt", "`lt` finds what is less", "{number} lt 0", finds: "c"),
        .filter("le", "`le` finds what is less or equal", "{number} le 0", finds: "cf"),
        .filter("and", "`and` asks for both", "{integer} ge 2 and {integer} le 3", finds: "bc"),
        .filter("or", "`or` asks for one of both", "{integer} eq 1 or {integer} eq 6", finds: "af"),
        .filter(
            "and-before-or", "`and` binds more than `or`",
            "{boolean} eq false and {integer} eq 2 or {integer} eq 1", finds: "ab"),
        .filter("not", "`not` turns a condition round", "not ({integer} eq 2)", finds: "acdef"),
        .filter(
            "parentheses", "parentheses go first", "({integer} eq 1 or {integer} eq 2) and {boolean} eq true",
            finds: "a"),
        .filter("null", "`eq null` finds what is null", "{date} eq null", finds: "d"),
        .filter("not-null", "`ne null` finds what is not", "{date} ne null", finds: "abcef"),
        .filter("boolean", "a boolean is compared with `true`", "{boolean} eq true", finds: "acf"),
        .filter("a-bare-boolean", "a boolean column is a condition", "{boolean}", finds: "acf"),
        .filter("not-a-bare-boolean", "`not` takes a boolean column", "not({boolean})", finds: "bde"),
        .filter("text", "a text is compared with a literal", "{text} eq 'MARK apple'", finds: "af"),
        .filter("an-apostrophe", "an apostrophe is written twice", "{text} eq 'MARK cherry''s'", finds: "c"),
        .filter("other-scripts", "a text may be of any script", "{text} eq 'MARK élan 日本 😀'", finds: "e"),
        .filter("id", "an id is compared with a text", "id eq ID(c)", finds: "c"),
        .filter(
            "a-list-of-ids", "a chain of `or` may be as long as a small list",
            "id eq ID(a) or id eq ID(b) or id eq ID(c) or id eq ID(d) or id eq ID(e) or id eq ID(f)", finds: "abcdef"),
        .filter("in", "`in` finds what is in a list", "{integer} in (1,6)", finds: "af", on: [.v3]),
        .filter("constants-true", "`1 eq 1` is true", "(1 eq 1)", finds: "abcdef", on: older),
        .filter("constants-false", "`1 eq 0` is false", "(1 eq 0)", finds: "", on: older),
    ]

    private static let functions: [Check] = [
        .filter("add", "`add` adds", "{integer} add 1 eq 3", finds: "b"),
        .filter("sub", "`sub` subtracts", "{integer} sub 1 eq 3", finds: "d"),
        .filter("mul", "`mul` multiplies", "{integer} mul 2 eq 6", finds: "c"),
        .filter("div", "`div` divides with a fraction", "{number} div 2.0 eq 1.25", finds: "b"),
        .filter("mod", "`mod` is the rest", "{integer} mod 2 eq 1", finds: "ace"),
        .filter("startswith", "`startswith` asks for the beginning", "startswith({text},'MARK app')", finds: "af"),
        .filter("endswith", "`endswith` asks for the end", "endswith({text},'pie')", finds: "b"),
        .filter(
            "substringof", "`substringof` finds a text in another", "substringof('anan',{text})", finds: "b",
            on: older),
        .filter("contains", "`contains` finds a text in another", "contains({text},'anan')", finds: "b", on: [.v3]),
        .filter("length", "`length` counts", "length({text}) eq LENGTH(apple)", finds: "af"),
        .filter("indexof", "`indexof` counts from 0", "indexof({text},'pie') eq START(1)", finds: "b"),
        .filter(
            "indexof-missing", "`indexof` is -1 where there is none", "indexof({text},'pie') eq -1", finds: "acdef"),
        .filter("substring", "`substring` counts from 0", "substring({text},START(0)) eq 'apple'", finds: "af"),
        .filter(
            "substring-of-three", "`substring` takes a length", "substring({text},START(0),3) eq 'app'", finds: "af"),
        .filter("tolower", "`tolower` makes small letters", "tolower({text}) eq 'MARK banana pie'", finds: "b"),
        .filter("toupper", "`toupper` makes capitals", "startswith(toupper({text}),toupper('MARK b'))", finds: "b"),
        .filter("trim", "`trim` leaves other text alone", "trim({text}) eq 'MARK apple'", finds: "af"),
        .filter("concat", "`concat` joins", "concat({text},'!') eq 'MARK apple!'", finds: "af"),
        .filter(
            "replace", "`replace` exchanges", "replace({text},'apple','plum') eq 'MARK plum'", finds: "af", on: [.v1]),
        .filter("year", "`year` is a part of a date", "year({date}) eq 2001", finds: "af"),
        .filter("month", "`month` is a part of a date", "month({date}) eq 11", finds: "b"),
        .filter("day", "`day` is a part of a date", "day({date}) eq 29", finds: "e"),
        .filter("hour", "`hour` is a part of a date, in UTC", "hour({date}) eq 13", finds: "b"),
        .filter("minute", "`minute` is a part of a date", "minute({date}) eq 14", finds: "b"),
        .filter("second", "`second` is a part of a date", "second({date}) eq 15", finds: "b"),
        .filter("floor", "`floor` goes down", "floor({number}) eq -4", finds: "c"),
        .filter("ceiling", "`ceiling` goes up", "ceiling({number}) eq -3", finds: "c"),
        .filter("round", "`round` goes to the nearest", "round({number}) eq -3", finds: "c"),
    ]

    private static let literals: [Check] = [
        .filter("negative-numbers", "a number may be negative", "{number} eq -3.25", finds: "c"),
        .filter("exponents", "a number may have an exponent", "{number} eq 1E+02 or {number} eq 15e-1", finds: "ad"),
        .filter(
            "suffixes", "a number may say its type by a letter",
            "{integer} eq 2L or {number} eq 1.5d or {number} eq 100M or {number} eq 7f", finds: "abde"),
        .filter(
            "datetimeoffset", "a date is compared to the millisecond",
            "{date} eq datetimeoffset'2001-02-03T04:05:06.789Z'", finds: "a", on: older),
        .filter(
            "datetimeoffset-with-seven-digits", "a date may be written as .NET writes it",
            "{date} eq datetimeoffset'2001-02-03T04:05:06.7890000+00:00'", finds: "a", on: older),
        .filter(
            "datetime", "`datetime` is a point in UTC too", "{date} eq datetime'2001-02-03T04:05:06.790Z'", finds: "f",
            on: older),
        .filter(
            "dates-before-1970", "a date may be before 1970",
            "{date} lt datetimeoffset'1970-01-01T00:00:00.000Z'", finds: "c", on: older),
        .filter(
            "cast", "a date is compared to the millisecond",
            "{date} eq cast(2001-02-03T04:05:06.789Z,Edm.DateTimeOffset)", finds: "a", on: [.v3]),
        .filter(
            "bare-dates", "a date may stand there without a cast", "{date} eq 2001-02-03T04:05:06.790Z", finds: "f",
            on: [.v3]),
        .filter(
            "casts-before-1970", "a date may be before 1970",
            "{date} lt cast(1970-01-01T00:00:00.000Z,Edm.DateTimeOffset)", finds: "c", on: [.v3]),
        .filter(
            "null-is-unequal", "`ne` finds null too, as in C#", "{date} ne 2024-02-29T00:00:00.000Z", finds: "abcdf",
            on: [.v3]),
    ]

    private static let refusals: [Check] = [
        .ofSamples("column-names-in-any-case", "In a filter and an order a column's name may be written in any case.") {
            context, samples in
            let name = try context.column(.text).uppercased()
            let listing = try await context.listed(
                [("$orderby", "ID desc")], where: "\(name) eq '\(samples.mark) apple'", mark: samples.mark)
            try context.expect(listing, has: samples.ids("fa"), as: "the rows")
        },
        .ofSamples("a-plus-is-a-blank", "A plus in a query is a blank.") { context, samples in
            let filter = "\(try context.column(.text))+eq+'\(samples.mark)+apple'"
            let system = context.generation == .v1 ? "&__systemProperties=*" : ""
            var request = context.request(.get, context.path())
            request.url = "\(context.target.address)\(context.path())?$filter=\(filter)&%24orderby=id\(system)"
            try context.expect(await context.send(request).listing(), has: samples.ids("af"), as: "the rows")
        },
        Check("a-syntax-error-answers-400", "A filter that can't be read answers 400.") { context in
            try await context.list(where: "{text} eq").expect(status: 400)
        },
        Check("an-unknown-function-answers-400", "A function that there is not answers 400.") { context in
            try await context.list(where: "zcshout({text}) eq 'x'").expect(status: 400)
        },
        .ofSamples("an-unknown-column", "A column that there is not answers 400, or no rows.") { context, samples in
            let answer = try await context.list(where: "zcnosuchcolumn eq 1", mark: samples.mark).expect(
                status: 200, 400)
            guard answer.status == 200 else { return }
            try context.expect(answer.listing(), has: [], as: "no rows")
        },
    ]
}
