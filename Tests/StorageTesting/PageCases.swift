import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Pages that go on behind a row, and the queries of v3.
    public static let walks: [ConformanceCase] = [
        seenStampPages,
        ConformanceCase("pages put together are the whole list, in its order") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await fill(table, of: store)
            for language in [QueryLanguage.apps, .datasync] {
                for order in orders {
                    var query = try query("", order: order, language)
                    let whole = try await store.list(query, in: table).rows.ids
                    #expect(whole.count == 33)
                    query.limit = 4
                    var ids: [String] = []
                    repeat {
                        let page = try await store.list(query, in: table)
                        #expect((page.cursor != nil) == page.hasMore, "\(order)")
                        ids += page.rows.ids
                        query.after = page.cursor
                    } while query.after != nil && ids.count < 50
                    #expect(ids == whole, "\(language) \(order)")
                }
            }
        },
        ConformanceCase("a page ends behind the row by which its visitor is full, and the next begins there") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await fill(table, of: store)
            for order in orders {
                for (limit, capacity) in [(10, 3), (10, 1), (3, 3), (2, 5), (100, 32), (100, 33), (100, 34)] {
                    var query = try query("", order: order, .apps)
                    query.wantsCount = true
                    let whole = try await store.list(query, in: table).rows.ids
                    query.limit = limit
                    var ids: [String] = []
                    repeat {
                        let page = try await store.list(query, in: table, into: CountedRows(capacity: capacity))
                        #expect(page.rowCount == min(limit, capacity, whole.count - ids.count), "\(order)")
                        #expect(page.rows.rows.ids.count == page.rowCount && page.totalCount == 33)
                        #expect(
                            page.hasMore == (ids.count + page.rowCount < whole.count), "\(order) \(limit) \(capacity)")
                        #expect((page.cursor != nil) == page.hasMore, "\(order)")
                        ids += page.rows.rows.ids
                        query.after = page.cursor
                    } while query.after != nil && ids.count < 50
                    #expect(ids == whole, "\(order) \(limit) \(capacity)")
                }
            }
        },
        ConformanceCase("a row that is gone moves no other over a page's border") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await fill(table, of: store)
            var query = try query("", order: "a_string desc", .apps)
            let whole = try await store.list(query, in: table).rows.ids
            query.limit = 5
            var ids: [String] = []
            repeat {
                let page = try await store.list(query, in: table)
                ids += page.rows.ids
                query.after = page.cursor
                for id in page.rows.ids.prefix(2) { try await store.delete(id, in: table) }
            } while query.after != nil
            #expect(ids == whole)
        },
        ConformanceCase("v3 takes null for a value, and text for what it is") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await store.insert("a", ["a_string": .text("PG"), "a_integer": .integer(1)], in: table)
            try await store.insert(
                "b", ["a_string": .text("pg"), "a_boolean": .boolean(true), "a_number": .number(7)], in: table)
            try await store.insert("c", ["a_integer": .integer(2), "a_boolean": .boolean(false)], in: table)
            for (filter, ids) in valueFilters {
                #expect(try await store.list(try query(filter, .datasync), in: table).rows.ids == ids, "\(filter)")
            }
        },
        ConformanceCase("days and times of day are kept, answered and compared") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await store.insert("a", ["a_dateOnly": .text("2022-02-14"), "a_timeOnly": .text("02:14")], in: table)
            try await store.insert(
                "b",
                [
                    "a_dateOnly": .text("2022-12-15"), "a_timeOnly": .text("12:15:30.1239"),
                    "a_date": .text("2022-12-15T12:15:30.5Z"),
                ],
                in: table)
            let row = try #require(try await store.find("b", in: table)).row
            #expect(row["a_dateOnly"] == .text("2022-12-15") && row["a_timeOnly"] == .text("12:15:30.123"))
            for (filter, ids) in dayFilters {
                #expect(try await store.list(try query(filter, .datasync), in: table).rows.ids == ids, "\(filter)")
            }
            await expectError(
                .typeMismatch(property: "a_dateOnly", column: .dateOnly, found: .text("2022-02-30"))
            ) { try await store.update("a", ["a_dateOnly": .text("2022-02-30")], in: table) }
        },
    ]

    private static let orders = [
        "", "id desc", "a_string", "a_string desc,a_number", "a_number desc,a_integer", "a_integer,a_boolean desc",
        "a_boolean", "a_date desc", "a_dateOnly,a_timeOnly desc", "updatedAt desc", "version", "deleted,a_date",
        "tolower(a_string) desc", "length(a_string),a_string", "a_integer add 1 desc", "a_number mul 3",
        "a_integer gt 1,a_number", "null,a_date", "year(a_date) desc",
    ]

    private static let valueFilters: [(String, [String])] = [
        ("a_string eq 'PG'", ["a"]), ("a_string ne 'PG'", ["b", "c"]), ("not (a_string eq 'PG')", ["b", "c"]),
        ("a_string in ('PG','x')", ["a"]), ("a_string in ('pg',null)", ["b", "c"]),
        ("not (a_string in ('PG'))", ["b", "c"]), ("a_string eq null", ["c"]), ("a_string ne null", ["a", "b"]),
        ("a_integer in (1,2)", ["a", "c"]), ("not (a_integer gt 1)", ["a", "b"]), ("a_boolean ne true", ["a", "c"]),
        ("(a_integer gt 1) eq false", ["a", "b"]), ("a_integer eq a_number", []),
        ("a_string eq a_string", ["a", "b", "c"]), ("contains(a_string,'G')", ["a"]),
        ("id in ('a','c')", ["a", "c"]), ("a_number divby 2 eq 3.5", ["b"]), ("a_integer divby 2 eq 0.5", ["a"]),
        ("a_number lt INF", ["b"]), ("a_number eq NaN", []), ("a_number ne NaN", ["a", "b", "c"]),
    ]

    private static let dayFilters: [(String, [String])] = [
        ("a_dateOnly eq 2022-02-14", ["a"]), ("a_dateOnly gt cast(2022-02-14,Edm.Date)", ["b"]),
        ("a_timeOnly ge 12:15:00", ["b"]), ("a_timeOnly eq 02:14:00", ["a"]), ("year(a_dateOnly) eq 2022", ["a", "b"]),
        ("month(a_dateOnly) eq 12 and hour(a_timeOnly) eq 12", ["b"]), ("fractionalseconds(a_timeOnly) gt 0.1", ["b"]),
        ("fractionalseconds(a_date) eq 0.5", ["b"]), ("date(a_date) eq a_dateOnly", ["b"]),
        ("time(a_date) gt a_timeOnly", ["b"]), ("a_date ge 2022-12-15", ["b"]), ("a_date lt now()", ["b"]),
    ]

    private static func query(_ filter: String, order: String = "", _ language: QueryLanguage) throws -> TableQuery {
        let members = [("$filter", filter), ("$orderby", order)].filter { !$0.1.isEmpty }
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) }, language: language)
        var query = TableQuery(limit: 100)
        query.filter = options.filter
        query.order = options.order
        query.textComparison = language == .datasync ? .ordinal : .ignoringCase
        query.nullComparison = language == .datasync ? .value : .unknown
        return query
    }

    /// Rows with nulls, texts that differ in case only, and many equal values in every column.
    private static func fill(_ table: Table, of store: any TableStore) async throws {
        let texts: [Value] = ["Tea", "tea", "é", "É", "", "🎈", "zoe"].map(Value.text) + [.null]
        for row in 0..<33 {
            let day = "2026-11-0\(row % 5 + 1)"
            try await store.insert(
                "\(row % 2 == 0 ? "a" : "B")\(row)",
                [
                    "a_string": texts[row * 5 % texts.count],
                    "a_number": row % 5 == 0 ? .null : .number(Double(row % 4) * 0.1),
                    "a_integer": row % 6 == 0 ? .null : .integer(Int64(row % 3)),
                    "a_boolean": row % 3 == 0 ? .null : .boolean(row % 2 == 0),
                    "a_date": row % 4 == 0 ? .null : .text("\(day)T00:00:00.00\(row % 3)Z"),
                    "a_dateOnly": row % 7 == 0 ? .null : .text(day),
                    "a_decimal": row % 9 == 0
                        ? .null
                        : .decimal(
                            try #require(DecimalNumber("\(row % 4).\(String(repeating: "0", count: row % 3))5"))),
                    "a_timeOnly": row % 8 == 0 ? .null : .text("1\(row % 5):30"),
                ], in: table)
        }
    }
}
