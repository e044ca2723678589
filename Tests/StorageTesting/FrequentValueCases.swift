import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// The most frequent values of columns.
    public static let frequentValues: [ConformanceCase] = [
        ConformanceCase("values are counted, the most frequent first, those of one count in their own order") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let texts: [Value] = ["b", "a", "b", "B", "é", "e\u{301}", nil, nil, "", "b"]
            for (number, text) in texts.enumerated() {
                try await store.insert("\(number)", ["text": text], in: table)
            }
            let page = try await store.list(FrequentValues.query(of: "TEXT"), in: table, into: FrequentValues())
            #expect(
                page.rows.entries == [
                    .init("b", 3), .init(nil, 2), .init("", 1), .init("B", 1), .init("a", 1), .init("e\u{301}", 1),
                    .init("é", 1),
                ])
            #expect(page.rows.entries.suffix(2).map { $0.value.textValue?.utf8.count } == [3, 2])
            #expect(!page.hasMore)
        },
        ConformanceCase("a filter and tombstones decide what is counted") { bench in
            let (store, table) = try await bench.open(.softTodo())
            for number in 0..<9 {
                try await store.insert("\(number)", ["complete": .boolean(number % 3 == 0), "text": "x"], in: table)
            }
            for id in ["0", "1"] { try await store.delete(id, in: table) }
            let query = FrequentValues.query(of: "complete")
            #expect(try await store.counted(query, in: table) == [.init(false, 5), .init(true, 2)])
            let all = FrequentValues.query(of: "complete", includingDeleted: true)
            #expect(try await store.counted(all, in: table) == [.init(false, 6), .init(true, 3)])
            let isEarly = Expression.binary(
                .less, .column("id", at: 0), .literal(.text("5"), at: 6), at: 3)
            let some = FrequentValues.query(of: "complete", under: isEarly, includingDeleted: true)
            #expect(try await store.counted(some, in: table) == [.init(false, 3), .init(true, 2)])
        },
        ConformanceCase("values of every type are told, and no more of them than twenty") { bench in
            let (store, table) = try await bench.open(.everyType)
            for number in 0..<25 {
                let half = try #require(DecimalNumber("\(number).50"))
                try await store.insert(
                    "\(number)",
                    [
                        "a_integer": .integer(.max - Int64(number / 2)), "a_number": .number(Double(number % 2) / 8),
                        "a_decimal": .decimal(half), "a_date": "2026-11-21T12:00:00.123Z",
                    ], in: table)
            }
            func counted(_ column: String) async throws -> [FrequentValues.Entry] {
                try await store.counted(FrequentValues.query(of: column), in: table)
            }
            let integers = try await counted("a_integer")
            #expect(integers.count == 13)
            #expect(integers.first == .init(.integer(.max - 11), 2) && integers.last == .init(.integer(.max - 12), 1))
            #expect(try await counted("a_number") == [.init(0.0, 13), .init(0.125, 12)])
            let decimals = try await counted("a_decimal")
            #expect(decimals.count == FrequentValues.valueLimit)
            #expect(decimals.first == .init(.decimal(try #require(DecimalNumber("0.50"))), 1))
            #expect(try await counted("a_date") == [.init("2026-11-21T12:00:00.123Z", 25)])
            #expect(try await counted("version").count == 20)
        },
        ConformanceCase("only the newest rows are looked at where there are many") { bench in
            let (store, table) = try await bench.open(.todo())
            for number in 0..<6 { try await store.insert("\(number)", ["text": .text("\(number % 5)")], in: table) }
            var query = FrequentValues.query(of: "text")
            #expect(query.limit == 10_000)
            query.limit = 4
            let page = try await store.list(query, in: table, into: FrequentValues())
            #expect(page.rows.entries == [.init("0", 1), .init("2", 1), .init("3", 1), .init("4", 1)])
            #expect(page.hasMore)
        },
        ConformanceCase("texts that would take too much memory end the count") { bench in
            let (store, table) = try await bench.open(.todo())
            for number in 0..<20 {
                try await store.insert(
                    "\(number)", ["text": .text("\(number)" + String(repeating: "x", count: 1 << 20))], in: table)
            }
            let page = try await store.list(FrequentValues.query(of: "text"), in: table, into: FrequentValues())
            #expect(page.hasMore && (10..<20).contains(page.rowCount))
        },
        ConformanceCase("a column that isn't there is said to be unknown") { bench in
            let (store, table) = try await bench.open(.todo())
            await expectError(.query(QueryError("$select", at: 0, .unknownColumn("nothing")))) {
                _ = try await store.counted(FrequentValues.query(of: "nothing"), in: table)
            }
        },
    ]
}

extension TableStore {
    fileprivate func counted(_ query: TableQuery, in table: Table) async throws -> [FrequentValues.Entry] {
        try await list(query, in: table, into: FrequentValues()).rows.entries
    }
}
