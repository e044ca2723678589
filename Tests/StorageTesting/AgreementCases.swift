import OData
import Tables
import Testing

extension ConformanceCase {
    /// What databases would compare and count each in their own way.
    public static let agreements: [ConformanceCase] = [
        ConformanceCase("a whole number beside a number column is a double, beside an integer column it is exact") {
            bench in
            let (store, table) = try await bench.open(.everyType)
            let rows: [(String, Double, Int64)] = [
                ("a", 9_007_199_254_740_992, 9_007_199_254_740_993),
                ("b", 9_007_199_254_740_994, 9_007_199_254_740_994),
                ("c", 0x1p63, .max),
            ]
            for (id, number, integer) in rows {
                try await store.insert(
                    id, ["a_number": .number(number), "a_integer": .integer(integer)], in: table)
            }
            for (filter, expected) in numberFilters {
                #expect(try await ids(filter, in: table, of: store) == expected, "\(filter)")
            }
            for (filter, expected) in [("in (9007199254740993)", ["a"]), ("in (1,9007199254740994)", ["b"])] {
                #expect(try await ids("a_number \(filter)", .datasync, in: table, of: store) == expected, "\(filter)")
            }
        },
        ConformanceCase("a letter is equal to itself, whether or not the database knows its other case") { bench in
            let (store, table) = try await bench.open(.todo())
            // Unicode 7, 16 and 17.
            let letters = ["\u{A7AD}", "\u{A7CB}", "\u{1C89}", "\u{10D50}", "\u{A7CE}"]
            for letter in letters { try await store.insert(letter, ["text": .text("<\(letter)>")], in: table) }
            for letter in letters {
                for filter in [
                    "text eq '<\(letter)>'", "substringof('\(letter)',text)", "startswith(text,'<\(letter)')",
                    "endswith(text,'\(letter)>')", "text ge '<\(letter)>' and text le '<\(letter)>'",
                    "indexof(text,'\(letter)') eq 1", "replace(text,'\(letter)','x') eq '<x>'",
                ] {
                    #expect(try await ids(filter, in: table, of: store) == [letter], "\(filter)")
                }
            }
        },
        ConformanceCase("the length of a text counts every code point, U+0000 too") { bench in
            let (store, table) = try await bench.open(.todo())
            let texts = ["", "a", "\u{0}", "a\u{0}b", "\u{1}\u{0}", "é😀"]
            for (number, text) in texts.enumerated() {
                try await store.insert("\(number)", ["text": .text(text)], in: table)
            }
            for length in 0...3 {
                let expected = texts.indices.filter { texts[$0].unicodeScalars.count == length }.map { "\($0)" }
                #expect(try await ids("length(text) eq \(length)", in: table, of: store) == expected)
            }
            let all = texts.indices.map { "\($0)" }
            #expect(try await ids("length('\u{0}') eq 1", in: table, of: store) == all)
            #expect(try await ids("length(concat(text,'\u{0}a')) eq length(text) add 2", in: table, of: store) == all)
        },
    ]

    private static let numberFilters: [(String, [String])] = [
        ("a_number eq 9007199254740993", ["a"]), ("9007199254740993 eq a_number", ["a"]),
        ("a_number ne 9007199254740993", ["b", "c"]), ("a_number gt 9007199254740993", ["b", "c"]),
        ("a_number ge 9007199254740993", ["a", "b", "c"]), ("a_number lt 9007199254740993", []),
        ("a_number le 9007199254740993", ["a"]), ("a_number eq 9223372036854775807", ["c"]),
        ("a_number eq a_integer", ["a", "b", "c"]), ("a_integer lt a_number", []),
        ("a_number eq (9007199254740992 add 1)", ["a"]),
        ("a_integer eq 9007199254740993", ["a"]), ("a_integer eq 9007199254740992", []),
        ("a_integer eq 9007199254740992.0", []), ("a_integer gt 9007199254740992.0", ["a", "b", "c"]),
        ("a_integer eq 9223372036854775808.0", []), ("a_integer lt 9223372036854775808.0", ["a", "b", "c"]),
        ("9223372036854775808.0 gt a_integer", ["a", "b", "c"]),
        ("a_integer ge -9223372036854775808.0", ["a", "b", "c"]),
    ]

    private static func ids(
        _ filter: String, _ language: QueryLanguage = .apps, in table: Table, of store: any TableStore
    ) async throws -> [String] {
        var query = TableQuery(limit: 100)
        query.filter = try QueryOptions.parse([("$filter", filter)], language: language).filter
        query.nullComparison = language == .datasync ? .value : .unknown
        return try await store.list(query, in: table).rows.ids.sorted()
    }
}
