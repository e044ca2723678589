import Tables
import Testing

extension ConformanceCase {
    /// Columns and tables that come with use.
    public static let schema: [ConformanceCase] = [
        ConformanceCase("an unknown property of an insert adds a column of its kind, null in older rows") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("old", in: table)
            let row = try await store.insert(
                "new", ["price": .number(1.5), "tag": .text("2026-11-21T00:00:00Z"), "isNew": .boolean(true)],
                in: table)
            #expect(row.row.row["price"] == .number(1.5))
            #expect(row.row.row["tag"] == .text("2026-11-21T00:00:00Z"))
            #expect(row.row.row["isNew"] == .boolean(true))
            let wider = try store.current(table)
            #expect(
                wider.columns.suffix(3) == [
                    Column("price", .number), Column("tag", .string), Column("isNew", .boolean),
                ])
            let old = try #require(try await store.find("old", in: wider))
            #expect(old.row["price"] == .null)
        },
        ConformanceCase("an unknown property of an update adds a column too") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            let row = try await store.update("a", ["count": .integer(3)], in: table).row
            #expect(row.row["count"] == .number(3))
            #expect(try store.current(table).column("COUNT") == Column("count", .number))
        },
        ConformanceCase("a property can say of which type its new column is; an old column stays what it is") { bench in
            let (store, table) = try await bench.open(.todo())
            let day = Value.text("2026-11-21T12:00:00.5Z")
            let insert = [Property("due", day, impliedType: .date), Property("text", day, impliedType: .date)]
            let row = try await store.insert(insert, id: .text("a"), in: table, into: RecordedRows()).row
            #expect(
                row.row["due"] == .text("2026-11-21T12:00:00.500Z")
                    && row.row["text"] == .text("2026-11-21T12:00:00.5Z"))
            let update = [Property("done", .integer(3), impliedType: .integer)]
            let done = try await store.update(.text("a"), set: update, in: table, into: RecordedRows()).row
            #expect(done.row["done"] == .integer(3))
            #expect(
                try store.current(table).columns.suffix(2) == [Column("due", .date), Column("done", .integer)])
            await expectError(.typeMismatch(property: "when", column: .date, found: .text("soon"))) {
                let soon = [Property("when", .text("soon"), impliedType: .date)]
                _ = try await store.insert(soon, id: .text("b"), in: table, into: RecordedRows())
            }
        },
        ConformanceCase("a null for an unknown column is ignored by an insert and refused by an update") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", ["nothing": .null], in: table).row
            #expect(row.row["nothing"] == nil)
            await expectError(.unknownProperty("nothing")) {
                try await store.update("a", ["nothing": .null], in: table)
            }
        },
        ConformanceCase("a static table refuses unknown properties") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = false })
            await expectError(.unknownProperty("price")) {
                try await store.insert("a", ["price": .number(1)], in: table)
            }
            #expect(try await store.find("a", in: table) == nil)
            #expect(try store.current(table).columns.count == 2)
        },
        ConformanceCase("the server's columns and impossible names are refused") { bench in
            let (store, table) = try await bench.open(.todo())
            for name in ["createdAt", "UPDATEDAT", "deleted"] {
                await expectError(.reservedProperty(name)) {
                    try await store.insert("a", [name: .boolean(true)], in: table)
                }
            }
            for name in ["", "1a", "a b", "a\"b", "é", String(repeating: "x", count: 129)] {
                await expectError(.invalidColumnName(name)) {
                    try await store.insert("a", [name: .boolean(true)], in: table)
                }
            }
            let longest = String(repeating: "x", count: 128)
            #expect(try await store.insert("a", [longest: .boolean(true)], in: table).outcome == .written)
        },
        ConformanceCase("SQL's own words are ordinary column names") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert(
                "a", ["select": .text("x"), "order": .number(1), "rowid": .text("r"), "__v1": .text("y")], in: table
            ).row
            #expect(row.row["select"] == .text("x") && row.row["rowid"] == .text("r"))
            let next = try await store.update("a", ["order": .number(2)], in: table).row
            #expect(next.row["order"] == .number(2) && next.row["__v1"] == .text("y"))
        },
        ConformanceCase("a write that changes no row adds no column") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            #expect(try await store.insert("a", ["extra": .number(1)], in: table).outcome == .duplicate)
            #expect(try await store.update("b", ["extra": .number(1)], in: table).outcome == .missing)
            let stale = try await store.update("a", ["extra": .number(1)], if: .unmatchable, in: table)
            #expect(stale.outcome == .mismatch)
            #expect(try store.current(table).column("extra") == nil)
        },
        ConformanceCase("a table holds 1000 columns and refuses the next") { bench in
            let columns = (1...999).map { Column(Identifier(stringLiteral: "c\($0)"), .number) }
            let (store, table) = try await bench.open(.todo { $0.columns = columns })
            let row = try await store.insert("a", ["c1": .number(1), "last": .number(2)], in: table).row
            #expect(row.row["last"] == .number(2))
            let full = try store.current(table)
            for stale in [table, full] {
                await expectError(.tooManyColumns(limit: 1000)) {
                    try await store.insert("b", ["beyond": .number(3)], in: stale)
                }
            }
        },
        ConformanceCase("clients add 200 columns to a table, all at once or one by one, and no more") { bench in
            let (store, table) = try await bench.open(.todo())
            let many = (1...200).map { Property("c\($0)", $0.isMultiple(of: 2) ? .number(1) : .text("x")) }
            await expectError(.tooManyClientColumns(limit: 200)) {
                _ = try await store.insert(
                    many + [Property("beyond", .number(1))], id: .text("a"), in: table, into: RecordedRows())
            }
            #expect(try await store.find("a", in: table) == nil)
            #expect(try store.current(table).columns.count == 2)
            let all = try await store.insert(
                Array(many.dropLast()), id: .text("a"), in: table, into: RecordedRows())
            #expect(all.row.row["c2"] == .number(1) && all.row.row["c199"] == .text("x"))
            try await store.update("a", ["c200": .number(2)], in: try store.current(table))
            let wide = try store.current(table)
            #expect(wide.columns.count == 202)
            await expectError(.tooManyClientColumns(limit: 200)) {
                try await store.update("a", ["beyond": .number(1)], in: wide)
            }
            #expect(try await store.update("a", ["c1": .text("y")], in: wide).outcome == .written)
            #expect(try await store.find("a", in: wide)?.row["c200"] == .number(2))
        },
        ConformanceCase("columns stand behind what other programs have made of the table", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "price, (odd)" REAL"#)
            let row = try await store.insert(
                "b", ["one": .number(1), "two": .text("2"), "three": .boolean(true)], in: table
            ).row
            #expect(row.row["one"] == .number(1) && row.row["two"] == .text("2") && row.row["three"] == .boolean(true))
            try await bench.closeAll()
            let (again, same) = try await bench.open(
                .todo { $0.columns += [Column("four", .date), Column("five", .number)] })
            #expect(Set(same.columns.map(\.name)).isSuperset(of: ["one", "two", "three", "four", "five"]))
            #expect(try await again.find("a", in: same)?.row["text"] == .text("milk"))
            #expect(try await again.find("b", in: same)?.row["two"] == .text("2"))
        },
        ConformanceCase("clients make 200 tables and no more, and operators as many as they like") { bench in
            let store = try await bench.open([.todo()])
            for number in 1...200 {
                _ = try await store.createTable(TableDefinition(name: Identifier(stringLiteral: "made\(number)")))
            }
            await expectError(.tooManyClientTables(limit: 200)) {
                _ = try await store.createTable(TableDefinition(name: "beyond"))
            }
            #expect(try await store.createTable(TableDefinition(name: "MADE7")).name.text == "made7")
            #expect(store.tables().count == 201)
        },
        ConformanceCase("writers that add one column at a time all succeed with one column") { bench in
            let (store, table) = try await bench.open(.todo())
            let outcomes = try await inParallel(16) { number in
                try await store.insert("row \(number)", ["Extra": .number(Double(number))], in: table).outcome
            }
            #expect(outcomes.allSatisfy { $0 == .written })
            #expect(try store.current(table).columns.count == 3)
        },
        ConformanceCase("of writers that add one column as two kinds, the second kind is refused") { bench in
            let (store, table) = try await bench.open(.todo())
            let written = try await inParallel(16) { number -> Bool in
                let value: Value = number.isMultiple(of: 2) ? .number(1) : .text("x")
                do {
                    return try await store.insert("row \(number)", ["extra": value], in: table).outcome == .written
                } catch let error as TableError {
                    guard case .typeMismatch = error else { throw error }
                    return false
                }
            }
            #expect(written.count(where: \.self) == 8)
        },
        ConformanceCase("a client's table is made once, however many ask") { bench in
            let store = try await bench.open([])
            let tables = try await inParallel(16) { _ in
                try await store.createTable(TableDefinition(name: "Made"))
            }
            #expect(Set(tables.map(ObjectIdentifier.init)).count == 1)
            #expect(store.tables().map(\.name) == ["Made"])
            let table = try #require(store.table(named: "mADE"))
            #expect(try await store.insert("a", ["text": .text("x")], in: table).outcome == .written)
        },
        ConformanceCase("a client's table has to have a name that isn't the database's own") { bench in
            let store = try await bench.open([])
            for name in ["zumod_tables", "SQLITE_master", "Zumod_x"] {
                await #expect(throws: TableError.self) {
                    try await store.createTable(TableDefinition(name: Identifier(stringLiteral: name)))
                }
            }
            #expect(store.tables().isEmpty)
        },
    ]
}

/// Runs a body as many times at once, and answers the results in the order of their numbers.
func inParallel<Success: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Success
) async throws -> [Success] {
    try await withThrowingTaskGroup(of: (Int, Success).self) { group in
        for number in 0..<count { group.addTask { (number, try await body(number)) } }
        var results: [(Int, Success)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
