import OData
import Tables
import Testing

extension ConformanceCase {
    /// What the comparisons with the reference have found: each difference stays found.
    public static let differences: [ConformanceCase] = [
        ConformanceCase("bytes are not null") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            for (binary, ids) in [(BinaryOperator.equal, []), (.notEqual, ["a"])] {
                var query = TableQuery(limit: 5)
                query.filter = .binary(binary, .literal(.binary([1]), at: 0), .literal(.null, at: 9), at: 6)
                #expect(try await store.list(query, in: table).rows.ids == ids)
            }
        },
        ConformanceCase("an update is checked against the columns before its row is looked for") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = false })
            for id in [RowID.text("missing"), .integer(1)] {
                await expectError(.unknownProperty("note")) {
                    _ = try await store.update(
                        id, set: [Property("note", .text("x"))], if: .none, in: table, into: RecordedRows())
                }
            }
        },
        ConformanceCase("ids that only look the same are two rows") { bench in
            let (store, table) = try await bench.open(.todo())
            for id in ["\u{E9}", "e\u{301}"] {
                #expect(try await store.insert(id, ["text": .text(id)], in: table).outcome == .written)
            }
            for id in ["\u{E9}", "e\u{301}"] {
                guard case .text(let text) = try await store.find(id, in: table)?.row["text"] else {
                    Issue.record("no row for \(Array(id.utf8))")
                    continue
                }
                #expect(Array(text.utf8) == Array(id.utf8))
            }
        },
        ConformanceCase("a GUID is the same id in upper and lower case") { bench in
            let (store, table) = try await bench.open(.todo())
            let ids = ["0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A", "0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a"]
            for id in ids { try await store.insert(id, in: table) }
            var query = TableQuery(limit: 5)
            query.filter = .binary(.equal, .column("id", at: 0), .literal(.guid(ids[1]), at: 6), at: 3)
            #expect(try await store.list(query, in: table).rows.ids == ids)
        },
        ConformanceCase("the remainder of whole numbers is whole") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await store.insert("a", ["a_integer": .integer(7)], in: table)
            var query = TableQuery(limit: 5)
            let remainder = Expression.binary(
                .modulo, .column("a_integer", at: 0), .literal(.integer(4), at: 14), at: 10)
            query.filter = .binary(
                .equal, .binary(.divide, remainder, .literal(.integer(2), at: 20), at: 16),
                .literal(.integer(1), at: 25),
                at: 22)
            #expect(try await store.list(query, in: table).rows.ids == ["a"])
        },
    ]
}
