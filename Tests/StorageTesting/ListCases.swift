import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    private static let patterns = [
        "", "a", "^a$", "a.c", "^a{3}$", "^(a|abc)$", "[b-c]$", "[^a]", "^\\d", "\\d+$", "^\\w+$", "\\W", "\\s",
        "^\\S+$", "é",
        "^.$", "^[à-ü]$", "日", "^𝄞?$", "\\(a\\)", "\\*", "^\\*{3}:", "\\\\", "x|^$", "(a?){5}", "[\\n.]", "^a\\sc$",
    ]

    /// Pages, order, filters and counts.
    public static let lists: [ConformanceCase] = [
        ConformanceCase("a page ends at its limit and tells whether rows follow") { bench in
            let (store, table) = try await bench.open(.todo())
            for id in ["c", "a", "e", "b", "d"] { try await store.insert(id, in: table) }
            for (skip, limit, ids, hasMore) in pages {
                var query = TableQuery(limit: limit)
                query.skip = skip
                query.wantsCount = true
                query.order = [OrderTerm(.column("id", at: 0))]
                let page = try await store.list(query, in: table)
                #expect(page.rows.ids == ids)
                #expect(page.hasMore == hasMore)
                #expect(page.totalCount == 5)
            }
            #expect(try await store.list(TableQuery(limit: 5), in: table).totalCount == nil)
        },
        ConformanceCase("an empty table answers an empty page that names its columns") { bench in
            let (store, table) = try await bench.open(.todo())
            var query = TableQuery(limit: 5)
            query.wantsCount = true
            let page = try await store.list(query, in: table)
            #expect(page.rowCount == 0 && !page.hasMore && page.totalCount == 0)
            #expect(page.rows.names == table.fields.map(\.name))
        },
        ConformanceCase("a list answers the selected columns in their order") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            var query = TableQuery(limit: 5)
            query.select = [SelectedName("TEXT", at: 0), SelectedName("version", at: 5), SelectedName("text", at: 13)]
            let page = try await store.list(query, in: table)
            #expect(page.rows.names == ["text", "version"])
            #expect(page.rows.row["text"] == .text("milk"))
        },
        ConformanceCase("tombstones are listed and counted only where they are included") { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b", "c"] { try await store.insert(id, in: table) }
            try await store.delete("b", in: table)
            for (include, ids) in [(false, ["a", "c"]), (true, ["a", "b", "c"])] {
                var query = TableQuery(limit: 5)
                query.includeDeleted = include
                query.wantsCount = true
                query.order = [OrderTerm(.column("id", at: 0))]
                let page = try await store.list(query, in: table)
                #expect(page.rows.ids == ids)
                #expect(page.totalCount == Int64(ids.count))
            }
        },
        ConformanceCase("a pattern matches the texts that its part of ECMAScript matches") { bench in
            let (store, table) = try await bench.open(.todo())
            let texts = [
                "", "a", "A", "abc", "aaa", "a.c", "a\nc", "tea 42", "é", "日本", "𝄞", "x_1", "(a)", "***:b", "a\\b",
            ]
            for (number, text) in texts.enumerated() {
                try await store.insert("r\(10 + number)", ["text": .text(text)], in: table)
            }
            try await store.insert("null", ["text": .null], in: table)
            for written in patterns {
                let pattern = try TextPattern(written)
                var query = TableQuery(limit: 100)
                query.filter = .call(
                    .matchesPattern, [.column("text", at: 0), .literal(.text(written), at: 5)], at: 0)
                query.textComparison = .ordinal
                query.nullComparison = .value
                let expected = texts.enumerated().filter { pattern.matches($0.element) }.map { "r\(10 + $0.offset)" }
                #expect(try await store.list(query, in: table).rows.ids == expected, "\(written)")
            }
        },
        ConformanceCase("a filter picks rows, and counts those of all pages") { bench in
            let (store, table) = try await bench.open(.everyType)
            for number in 1...10 {
                try await store.insert("row \(number)", ["a_integer": .integer(Int64(number))], in: table)
            }
            var query = TableQuery(limit: 2)
            query.filter = .binary(
                .greater, .column("a_integer", at: 0), .literal(.integer(4), at: 0), at: 0)
            query.order = [OrderTerm(.column("a_integer", at: 0), isDescending: true)]
            query.wantsCount = true
            let page = try await store.list(query, in: table)
            #expect(page.rows.ids == ["row 10", "row 9"])
            #expect(page.hasMore && page.totalCount == 6)
        },
        ConformanceCase("order puts nulls first when ascending, and breaks ties by id") { bench in
            let (store, table) = try await bench.open(.everyType)
            let values: KeyValuePairs<String, Value> = [
                "d": .number(2), "c": .number(2), "b": .null, "a": .null, "f": .number(-1), "e": .number(10),
            ]
            for (id, value) in values { try await store.insert(id, ["a_number": value], in: table) }
            let orders = [(false, ["a", "b", "f", "c", "d", "e"]), (true, ["e", "c", "d", "f", "a", "b"])]
            for (isDescending, ids) in orders {
                var query = TableQuery(limit: 10)
                query.order = [OrderTerm(.column("a_number", at: 0), isDescending: isDescending)]
                #expect(try await store.list(query, in: table).rows.ids == ids)
            }
        },
        ConformanceCase("text compares without regard to case in every script, or by code point") { bench in
            let (store, table) = try await bench.open(.todo())
            for (id, text) in ["1": "Éclair", "2": "éclair", "3": "eclair", "4": "MILK", "5": "milk"] {
                try await store.insert(id, ["text": .text(text)], in: table)
            }
            for (wanted, comparison, ids) in comparisons {
                var query = TableQuery(limit: 10)
                query.textComparison = comparison
                query.filter = .binary(.equal, .column("text", at: 0), .literal(.text(wanted), at: 0), at: 0)
                query.order = [OrderTerm(.column("id", at: 0))]
                #expect(try await store.list(query, in: table).rows.ids == ids, "\(wanted) \(comparison)")
            }
        },
        ConformanceCase("the functions of a query run") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("ÉCLAIR au lait")], in: table)
            for (function, arguments, expected) in functions {
                var query = TableQuery(limit: 1)
                let call = Expression.call(
                    function, [.column("text", at: 0)] + arguments.map { .literal($0, at: 0) }, at: 0)
                query.filter = .binary(.equal, call, .literal(expected, at: 0), at: 0)
                query.textComparison = .ordinal
                #expect(try await store.list(query, in: table).rowCount == 1, "\(function)")
            }
        },
        ConformanceCase("a query that doesn't fit the table fails as a query") { bench in
            let (store, table) = try await bench.open(.todo())
            var query = TableQuery(limit: 1)
            query.filter = .binary(.equal, .column("nowhere", at: 0), .literal(.integer(1), at: 11), at: 8)
            await expectError(.query(QueryError("$filter", at: 0, .unknownColumn("nowhere")))) {
                _ = try await store.list(query, in: table)
            }
        },
        ConformanceCase("a page and its count come from one moment") { bench in
            let (store, table) = try await bench.open(.todo())
            async let writes: [Void] = inParallel(4) { writer in
                for number in 0..<25 { try await store.insert("\(writer) \(number)", in: table) }
            }
            for _ in 0..<50 {
                var query = TableQuery(limit: 1000)
                query.wantsCount = true
                let page = try await store.list(query, in: table)
                #expect(page.totalCount == Int64(page.rowCount))
            }
            _ = try await writes
        },
        ConformanceCase("a reader that pulls by stamp while others write misses no row") { bench in
            let (store, table) = try await bench.open(.todo())
            async let writes: [Void] = inParallel(8) { writer in
                for number in 0..<25 { try await store.insert("\(writer) \(number)", in: table) }
            }
            var seen: Set<String> = []
            var last = Instant(milliseconds: 0)
            func pull() async throws {
                var query = TableQuery(limit: 50)
                query.filter = .binary(.greater, .column("updatedAt", at: 0), .literal(.date(last), at: 0), at: 0)
                query.order = [OrderTerm(.column("updatedAt", at: 0))]
                let rows = try await store.list(query, in: table).rows
                #expect(seen.isDisjoint(with: rows.ids))
                seen.formUnion(rows.ids)
                if let stamp = rows.stamps.last { last = try #require(Instant(stamp)) }
            }
            for _ in 0..<20 { try await pull() }
            _ = try await writes
            for _ in 0..<5 { try await pull() }
            #expect(seen.count == 200)
        },
    ]

    private static let pages: [(Int, Int, [String], Bool)] = [
        (0, 2, ["a", "b"], true), (2, 2, ["c", "d"], true), (4, 2, ["e"], false),
        (0, 5, ["a", "b", "c", "d", "e"], false), (3, 2, ["d", "e"], false), (9, 2, [], false), (0, 0, [], true),
    ]

    private static let comparisons: [(String, TextComparison, [String])] = [
        ("ÉCLAIR", .ignoringCase, ["1", "2"]), ("Milk", .ignoringCase, ["4", "5"]), ("Milk", .ordinal, []),
        ("milk", .ordinal, ["5"]), ("éclair", .ordinal, ["2"]),
    ]

    private static let functions: [(Function, [Literal], Literal)] = [
        (.toLower, [], .text("éclair au lait")), (.toUpper, [], .text("ÉCLAIR AU LAIT")), (.length, [], .integer(14)),
        (.indexOf, [.text("au")], .integer(7)), (.substring, [.integer(7), .integer(2)], .text("au")),
        (.replace, [.text("au"), .text("de")], .text("ÉCLAIR de lait")),
    ]
}
