import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Tables and columns by names that mean something to a database.
    public static let names: [ConformanceCase] = [
        ConformanceCase("each word of both databases names a table and a column of its own", needs: .otherPrograms) {
            bench in
            let names = Set(NameWords.keywords).subtracting(NameWords.special).sorted()
            try await NamedTables(names, bench).prove()
        },
        ConformanceCase("names with a meaning within statements and triggers are those of tables and columns") {
            bench in
            let names = NamedTables.distinct(NameWords.meaning)
            try await NamedTables(names, bench).use()
        },
        ConformanceCase("SQL of other programs means the row that it names, whatever its table", needs: .otherPrograms)
        {
            bench in
            let names = NamedTables.distinct(NameWords.special).filter { !NameWords.physical.contains($0) }
            try await NamedTables(names, bench).prove()
        },
        ConformanceCase("T-SQL means the table and column that it names", needs: .statements) { bench in
            let tables = try await NamedTables(NamedTables.distinct(NameWords.meaning), bench)
            try await tables.runScripts()
        },
        ConformanceCase("tables by such names get columns, and are known again", needs: .persistence) { bench in
            let names = NamedTables.distinct(NameWords.meaning)
            let tables = try await NamedTables(names, bench)
            try await tables.grow()
        },
        ConformanceCase("a table may be called as the key or the numbers of another", needs: .persistence) { bench in
            var numbered = TableDefinition.named("note")
            numbered.rules.autoIncrement = true
            _ = try await bench.open([numbered, .named("item")])
            let names = ["note_pkey", "note_id_seq", "item_pkey"]
            let tables = try await NamedTables(names, beside: [numbered, .named("item")], bench)
            try await tables.fill()
            let store = try await bench.open([numbered, .named("item")] + names.map { .named($0) })
            let note = try #require(store.table(named: "note"))
            for id in 1...2 {
                let made = try await store.insert([], id: nil, in: note, into: RecordedRows())
                #expect(made.row.row["id"] == .integer(Int64(id)))
            }
        },
        ConformanceCase("a table of the server's own can't be named") { bench in
            for name: Identifier in ["zumod_tables", "ZUMOD_x", "sqlite_master", "pg_class"] {
                await #expect(throws: TableError.self) { _ = try await bench.open([TableDefinition(name: name)]) }
            }
        },
    ]
}

extension TableDefinition {
    /// A table with a column of its own name, and one of another type.
    fileprivate static func named(_ name: String, more: [Column] = []) -> TableDefinition {
        var rules = TableRules()
        rules.softDelete = true
        let own = Column(Identifier(stringLiteral: name), .string)
        let number = Column(Identifier(stringLiteral: "\(name)_number"), .number)
        let table = NamedTables.tableName(name)
        return TableDefinition(name: table, columns: [own, number] + more, rules: rules)
    }
}

/// Tables that have a column of their own name each.
private struct NamedTables {
    private let bench: Bench
    private let store: any TableStore
    private let tables: [Table]

    init(_ names: [String], beside others: [TableDefinition] = [], _ bench: Bench) async throws {
        self.bench = bench
        store = try await bench.open(others + names.map { .named($0) })
        let store = store
        tables = try names.map { try #require(store.table(named: Self.tableName($0))) }
    }

    /// A column may have a name of the server's own, no table.
    static func tableName(_ name: String) -> Identifier {
        Identifier(stringLiteral: name.hasPrefix("zumod_") ? "of_\(name)" : name)
    }

    /// The first of names that are one but for case, none of the server's own.
    static func distinct(_ names: [String]) -> [String] {
        var seen: Set<Identifier> = []
        return names.filter { name in
            SystemColumn(named: name) == nil && seen.insert(Identifier(stringLiteral: name)).inserted
        }
    }

    private func each(_ body: @escaping @Sendable (Table, _ name: String, _ column: String) async throws -> Void)
        async throws
    {
        // Some at a time: of one asker no more may wait than some hundreds.
        for start in stride(from: 0, to: tables.count, by: 50) {
            try await withThrowingTaskGroup { group in
                for table in tables[start..<min(start + 50, tables.count)] {
                    group.addTask { try await body(table, table.name.text, table.columns[0].name.text) }
                }
                try await group.waitForAll()
            }
        }
    }

    func fill() async throws {
        try await each { [store] table, _, column in
            for (id, number) in [("a", 3.0), ("b", 2), ("c", 1)] {
                _ = try await store.insert(
                    [Property(column, .text("text \(id)")), Property("\(column)_number", .number(number))],
                    id: .text(id),
                    in: table, into: RecordedRows())
            }
        }
    }

    private static func query(_ column: String) -> TableQuery {
        let number = Expression.binary(
            .greaterOrEqual, .column("\(column)_number", at: 0), .literal(.integer(1), at: 0), at: 0)
        let text = Expression.call(.startsWith, [.column(column, at: 0), .literal(.text("text"), at: 0)], at: 0)
        var query = TableQuery(limit: 10)
        query.filter = .binary(.and, number, text, at: 0)
        query.order = [OrderTerm(.column(column, at: 0), isDescending: true)]
        return query
    }

    /// Another program writes a row, changes one and deletes one of each table, and nothing else comes of it.
    func prove() async throws {
        try await run { name, column in
            """
            INSERT INTO "\(name)" ("id", "\(column)") VALUES ('a', 'text a'), ('b', 'text b'), ('c', 'text c');
            """
        }
        try await each { [store] table, name, column in
            let number = RowUpdate([Property("\(column)_number", .number(1))])
            let written = try await store.update("c", number, in: table)
            #expect(written.outcome == .written, "\(name)")
        }
        let before = try await rows()
        try await run { name, column in
            """
            UPDATE "\(name)" SET "\(column)" = 'changed' WHERE "id" = 'a';
            DELETE FROM "\(name)" WHERE "id" = 'b';
            INSERT INTO "\(name)" ("id", "\(column)") VALUES ('new', 'text new');
            """
        }
        let after = try await rows()
        for table in tables {
            let (name, column) = (table.name.text, table.columns[0].name.text)
            let (old, new) = (before[table.name] ?? [:], after[table.name] ?? [:])
            #expect(new.count == 4 && new["c"] == old["c"], "\(name): a row that nobody named has changed")
            #expect(new["a"]?[column] == .text("changed") && new["a"]?["deleted"] == .boolean(false), "\(name)")
            #expect(new["b"]?[column] == .text("text b") && new["b"]?["deleted"] == .boolean(true), "\(name)")
            #expect(new["new"]?[column] == .text("text new") && new["new"]?["version"] != .null, "\(name)")
            #expect(Set(["a", "b"].map { "\(new[$0]?["version"] != old[$0]?["version"])" }) == ["true"], "\(name)")
        }
        try await each { [store] table, name, column in
            let listed = try await store.list(Self.query(column), in: table)
            #expect(listed.rows.ids == ["c"], "\(name)")
        }
    }

    private func run(_ sql: (_ name: String, _ column: String) -> String) async throws {
        try await bench.run(tables.map { sql($0.name.text, $0.columns[0].name.text) }.joined(separator: "\n"))
    }

    /// All rows of all tables by their ids, tombstones too.
    private func rows() async throws -> [Identifier: [String: [String: Cell]]] {
        var all: [Identifier: [String: [String: Cell]]] = [:]
        var query = TableQuery(limit: 10)
        query.includeDeleted = true
        for table in tables {
            let page = try await store.list(query, in: table)
            all[table.name] = Dictionary(zip(page.rows.ids, page.rows.rows)) { first, _ in first }
        }
        return all
    }

    /// Every kind of statement that the store makes.
    func use() async throws {
        try await fill()
        try await each { [store, bench] table, name, column in
            let updated = try await store.update("a", RowUpdate([Property(column, .text("text z"))]), in: table)
            #expect(updated.outcome == .written && updated.row.row[column] == .text("text z"), "\(name)")
            let condition = Expression.binary(.equal, .column(column, at: 0), .literal(.text("text z"), at: 0), at: 0)
            let scope = RowScope(condition, writable: condition)
            let scoped = RowUpdate([Property("\(column)_number", .number(9))])
            #expect(try await store.update("a", scoped, scope: scope, in: table).outcome == .written, "\(name)")
            #expect(try await store.update("c", scoped, scope: scope, in: table).outcome != .written, "\(name)")
            #expect(try await store.delete("b", in: table).outcome == .written, "\(name)")
            #expect(try await store.undelete("b", in: table).outcome == .written, "\(name)")
            #expect(try await store.delete("b", in: table).outcome == .written, "\(name)")
            var query = Self.query(column)
            query.wantsCount = true
            var page = try await store.list(query, in: table)
            #expect(page.rows.ids == ["a", "c"] && page.totalCount == 2, "\(name)")
            query = TableQuery(limit: 1)
            query.order = [OrderTerm(.call(.toLower, [.column(column, at: 0)], at: 0), isDescending: true)]
            page = try await store.list(query, in: table)
            #expect(page.rows.ids == ["a"] && page.hasMore, "\(name)")
            query.after = page.cursor
            #expect(try await store.list(query, in: table).rows.ids == ["c"], "\(name)")
            let later = Instant(milliseconds: bench.clock.now.milliseconds + 60_000)
            #expect(try await store.graves.countTombstones(of: table, before: later) == 1, "\(name)")
            let step = try await store.graves.purgeTombstones(of: table, from: nil, before: later, limit: 10)
            #expect(step.removed == 1, "\(name)")
            var row = ImportRow(
                id: .text("c"), createdAt: nil, updatedAt: nil, version: nil, isDeleted: false, assignments: [])
            row.assignments = [RowChanges.Assignment(column: table.columns[0], value: .text("replaced"))]
            var batch = ImportBatch(rows: [row])
            batch.rule = .replace
            _ = try await store.transfer.importRows(batch, into: table)
            #expect(try await store.find("c", in: table)?.row[column] == .text("replaced"), "\(name)")
            #expect(try await store.find("a", in: table)?.row[column] == .text("text z"), "\(name)")
        }
        let statistics = try #require(store as? any StatisticsStore)
        #expect(try await statistics.lastChanges().count == tables.count)
        _ = try await statistics.sizes()
    }

    /// Statements of scripts, of one table and of two.
    func runScripts() async throws {
        try await fill()
        let statements = try #require(store as? any StatementStore)
        for table in tables {
            let (name, column) = (table.name.text, table.columns[0].name.text)
            func run(_ sql: String) async throws -> StatementResult {
                let script = StatementScript(sql, positional: [.text("text a")], asker: "script")
                return try #require(try await statements.run(script).last, "\(name)")
            }
            let found = try await run(
                "SELECT [id], [\(column)] FROM [\(name)] WHERE [\(column)] = ? ORDER BY [\(column)]")
            #expect(found.rows == [["a", "text a"]], "\(name)")
            let update = "UPDATE [\(name)] SET [\(column)] = 'one' WHERE [\(column)] = ?"
            #expect(try await run(update).affected == 1, "\(name)")
            let joined = try await run(
                """
                UPDATE x SET [\(column)] = y.[\(column)] FROM [\(name)] x JOIN [\(name)] y ON x.id = 'b' AND y.id = 'c'
                    AND 'text a' = ?
                """)
            #expect(joined.affected == 1, "\(name)")
            let rows = try await run("SELECT t.[\(column)] FROM [\(name)] t WHERE 'text a' = ? ORDER BY t.id").rows
            #expect(rows == [["one"], ["text c"], ["text c"]], "\(name)")
            #expect(try await run("DELETE FROM [\(name)] WHERE id = 'b' AND 'text a' = ?").affected == 1, "\(name)")
            #expect(
                try await run("SELECT id FROM [\(name)] WHERE deleted = 0 AND 'text a' = ?").rows.count == 2, "\(name)")
        }
    }

    /// The same tables once more, with columns more.
    func grow() async throws {
        try await fill()
        let more = [Column("more", .string), Column("rest", .boolean)]
        let again = try await bench.open(tables.map { .named($0.columns[0].name.text, more: more) })
        for table in tables {
            let (name, column) = (table.name.text, table.columns[0].name.text)
            let wider = try #require(again.table(named: table.name))
            #expect(wider.columns.map(\.name.text) == [column, "\(column)_number", "more", "rest"], "\(name)")
            #expect(try await again.update("a", ["more": "m"], in: wider).row.row["more"] == .text("m"), "\(name)")
        }
    }
}
