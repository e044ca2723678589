import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `What stands in double quotes is a column` {
    @Test func `no connection takes it for a text`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await backend.close(
            try await backend.open([], servesClientTables: false, clock: { SystemClock.now() }))
        let (writer, reader) = try (
            SQLiteConnection(backend.location, role: .writer), SQLiteConnection(backend.location, role: .reader)
        )
        for connection in [writer, reader, try SQLiteConnection(.memory, role: .writer)] {
            for statement in [#"SELECT "milk""#, #"SELECT 1 WHERE "milk" = 'milk'"#] {
                #expect(throws: TableError.failed(detail: "SQLite 1: no such column: milk")) {
                    try connection.run(statement)
                }
            }
        }
        try writer.run("CREATE TABLE t (a TEXT)")
        #expect(throws: TableError.self) { try writer.run(#"CREATE INDEX i ON t (a) WHERE a = "milk""#) }
    }

    @Test func `a database whose triggers, views and indexes have such texts is served`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let definition = TableDefinition(name: "TodoItem", columns: [Column("text", .string)])
        let open = { try await backend.open([definition], servesClientTables: false, clock: { SystemClock.now() }) }
        var store = try await open()
        try await backend.close(store)
        try await backend.run(
            """
            CREATE TABLE log (what TEXT);
            CREATE TRIGGER mine AFTER DELETE ON "TodoItem" WHEN OLD."text" = "milk" BEGIN INSERT INTO log VALUES ("gone"); END;
            CREATE VIEW milk AS SELECT * FROM "TodoItem" WHERE "text" = "milk";
            CREATE INDEX log_milk ON log (what) WHERE what = "milk";
            """)
        store = try await open()
        let table = try #require(store.table(named: "TodoItem"))
        let written = try await store.insert(
            [Property("text", .text("milk"))], id: .text("a"), deleted: false, scope: nil, in: table,
            into: RecordedRows())
        #expect(written.outcome == .written)
        // Only what needs such a text fails, and says what it misses.
        await #expect(throws: TableError.failed(detail: "SQLite 1: no such column: milk")) {
            _ = try await store.delete(.text("a"), if: .none, scope: nil, in: table, into: RecordedRows())
        }
        #expect(try await store.list(TableQuery(limit: 5), in: table, into: RecordedRows()).rowCount == 1)
        try await backend.close(store)
    }
}
