import OData
import StorageTesting
import Tables
import Testing
import WireTesting

@testable import SQLiteStorage

@Suite struct `Rows that a rule of the database refuses` {
    @Test func `are told apart from failures of the database, and nothing of them is written`() async throws {
        let definition = TableDefinition(name: "Item", columns: [Column("text", .string), Column("size", .integer)])
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(backend.location, tables: [definition], servesClientTables: false)
        try await backend.run(
            """
            CREATE UNIQUE INDEX mine ON "Item" ("text");
            CREATE TRIGGER positive BEFORE INSERT ON "Item" WHEN NEW."size" < 0 BEGIN SELECT RAISE(ABORT, 'no'); END;
            CREATE TRIGGER silent BEFORE INSERT ON "Item" WHEN NEW."size" = 99 BEGIN SELECT RAISE(IGNORE); END;
            """)
        let table = try #require(store.table(named: "Item"))
        func insert(_ id: String, _ text: String, _ size: Int64) async throws -> RowRefusal? {
            try await store.refusal(ofInserting: id, ["text": .text(text), "size": .integer(size)], into: table)
        }
        #expect(try await insert("a", "x", 1) == nil)
        #expect(try await insert("b", "x", 1) == .taken)
        #expect(try await insert("b", "y", -1) == .rule)
        #expect(try await insert("b", "y", 99) == .rule)
        #expect(try await store.find(.text("b"), in: table, includeDeleted: true, into: RecordedRows()) == nil)
        await store.close()
    }

    @Test func `are not those that the server's own records end`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [TableDefinition(name: "Item")], servesClientTables: false)
        try await backend.run("UPDATE zumod_tables SET last_stamp = 253402300799999")
        let table = try #require(store.table(named: "Item"))
        await #expect(throws: TableError.self) {
            _ = try await store.refusal(ofInserting: "a", [:], into: table)
        }
        await store.close()
    }
}
