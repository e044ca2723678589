import Tables
import Testing

extension ConformanceCase {
    /// What a start makes of definitions and of what is there.
    public static let opening: [ConformanceCase] = [
        ConformanceCase("rows, stamps and versions outlive the store", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.softTodo())
            let live = try await store.insert("a", ["text": .text("milk"), "more": .number(1)], in: table).row
            try await store.insert("b", in: table)
            let tombstone = try await store.delete("b", in: table).row
            let (reopened, same) = try await bench.open(.softTodo())
            #expect(same.columns == table.columns + [Column("more", .number)])
            #expect(try await reopened.find("a", in: same) == live)
            #expect(try await reopened.find("b", in: same) == nil)
            #expect(try await reopened.find("b", in: same, includeDeleted: true)?.version == tombstone.version)
        },
        ConformanceCase("columns that a definition gains are added at the next start", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            let (reopened, wider) = try await bench.open(.todo { $0.columns.append(Column("due", .date)) })
            #expect(wider.columns.last == Column("due", .date))
            let old = try #require(try await reopened.find("a", in: wider))
            #expect(old.row["due"] == .null)
            #expect(try await reopened.update("a", ["due": .text("2026-11-21")], in: wider).outcome == .written)
        },
        ConformanceCase("a column that a definition loses stays", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            let (reopened, same) = try await bench.open(.todo { $0.columns.removeFirst() })
            #expect(try await reopened.find("a", in: same)?.row["text"] == .text("milk"))
        },
        ConformanceCase("a definition that changes a column's type names table and column", needs: .persistence) {
            bench in
            _ = try await bench.open(.todo())
            let error = await #expect(throws: TableError.self) {
                _ = try await bench.open(.todo { $0.columns[0] = Column("text", .number) })
            }
            guard case .definition(let sentence) = error else { throw MissingCell() }
            #expect(sentence.contains("TodoItem") && sentence.contains("text"))
        },
        ConformanceCase("a definition can't change the kind of ids", needs: .persistence) { bench in
            _ = try await bench.open(.todo())
            await #expect(throws: TableError.self) { _ = try await bench.open(.todo { $0.rules.autoIncrement = true }) }
        },
        ConformanceCase("impossible definitions are refused") { bench in
            for change in impossibleDefinitions {
                let definition = TableDefinition.todo(change)
                let error = await #expect(throws: TableError.self) { _ = try await bench.open([definition]) }
                guard case .definition = error else {
                    Issue.record("\(definition): \(String(describing: error))")
                    continue
                }
            }
            await #expect(throws: TableError.self) {
                _ = try await bench.open([.todo(), .todo { $0.name = "TODOITEM" }])
            }
        },
        ConformanceCase("seed rows are written when the table is made, and never again", needs: .persistence) { bench in
            let seeded = TableDefinition.todo {
                $0.seed = [
                    [Property("ID", .text("a")), Property("text", .text("milk"))], [Property("rank", .integer(1))],
                ]
            }
            let (store, table) = try await bench.open(seeded)
            #expect(table.column("rank")?.type == .number)
            let row = try #require(try await store.find("a", in: table))
            #expect(row.row["text"] == .text("milk") && row.version != nil && row.updatedAt != nil)
            try await store.delete("a", in: table)
            let (reopened, same) = try await bench.open(seeded)
            #expect(try await reopened.find("a", in: same) == nil)
        },
        ConformanceCase("a numbering table numbers its seed rows") { bench in
            let (store, table) = try await bench.open(
                .todo {
                    $0.rules.autoIncrement = true
                    $0.seed = [[Property("id", .integer(7))], [Property("text", .text("x"))]]
                })
            let next = try await store.find(
                .integer(8), in: table, includeDeleted: false, into: RecordedRows())
            #expect(next?.row["text"] == .text("x"))
        },
        ConformanceCase("a table that the configuration no longer names isn't served", needs: .persistence) { bench in
            _ = try await bench.open([.todo(), .todo { $0.name = "other" }])
            let store = try await bench.open([.todo()])
            #expect(store.tables().map(\.name) == ["TodoItem"])
        },
        ConformanceCase("a client's table is served again only where asked for", needs: .persistence) { bench in
            let store = try await bench.open([.todo()])
            var definition = TableDefinition(name: "Made")
            definition.rules.softDelete = true
            let made = try await store.createTable(definition)
            try await store.insert("a", ["price": .number(1)], in: made)
            try await store.delete("a", in: made)
            let without = try await bench.open([.todo()], servesClientTables: false)
            #expect(without.table(named: "Made") == nil)
            let with = try await bench.open([.todo()], servesClientTables: true)
            let table = try #require(with.table(named: "made"))
            #expect(table.name.text == "Made" && table.rules.softDelete)
            #expect(try await with.find("a", in: table) == nil)
            #expect(try await with.undelete("a", in: table).outcome == .written)
        },
        ConformanceCase("a client can't make the table that the configuration took away", needs: .persistence) {
            bench in
            _ = try await bench.open([.todo()])
            let store = try await bench.open([])
            await #expect(throws: TableError.self) {
                _ = try await store.createTable(TableDefinition(name: "TodoItem"))
            }
            #expect(store.table(named: "TodoItem") == nil)
            // A client's own is made again with the rules that it had.
            var definition = TableDefinition(name: "Made")
            definition.rules.softDelete = true
            _ = try await store.createTable(definition)
            let next = try await bench.open([], servesClientTables: false)
            #expect(try await next.createTable(TableDefinition(name: "made")).rules.softDelete)
        },
        ConformanceCase("calls after the end of the store fail, and hang nobody") { bench in
            let (store, table) = try await bench.open(.todo())
            try await bench.closeAll()
            await #expect(throws: TableError.self) { try await store.insert("a", in: table) }
            await #expect(throws: TableError.self) { _ = try await store.find("a", in: table) }
            await #expect(throws: TableError.self) { _ = try await store.list(TableQuery(limit: 1), in: table) }
        },
    ]

    private static let impossibleDefinitions: [@Sendable (inout TableDefinition) -> Void] = [
        { $0.name = "zumod_tables" },
        { $0.name = "Sqlite_x" },
        { $0.columns.append(Column("TEXT", .string)) },
        { $0.columns.append(Column("updatedat", .date)) },
        { $0.indexes = [["nowhere"]] },
        { $0.indexes = [[]] },
        { $0.seed = [[Property("complete", .text("yes"))]] },
        { $0.seed = [[Property("deleted", .boolean(true))]] },
        { $0.seed = [[Property("id", .text("a"))], [Property("id", .text("a"))]] },
        { $0.seed = [[Property("id", .text("a/b"))]] },
    ]
}
