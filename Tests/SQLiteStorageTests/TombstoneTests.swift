import OData
import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `Tombstones of a SQLite file` {
    private static let tables: [TableDefinition] = (["Item", "Other"] as [Identifier]).map { name in
        var definition = TableDefinition(name: name)
        definition.rules.softDelete = true
        return definition
    }

    @Test func `a purge of one table takes no row of another along, nor one that a trigger holds`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(backend.location, tables: Self.tables, servesClientTables: false)
        try await backend.run(
            """
            CREATE TRIGGER tidy AFTER DELETE ON "Item" BEGIN DELETE FROM "Other" WHERE "id" = OLD."id"; END;
            CREATE TRIGGER hold BEFORE DELETE ON "Item" WHEN OLD."id" = 'b' BEGIN SELECT RAISE(ABORT, 'it is held'); END;
            INSERT INTO "Other" ("id") VALUES ('a'), ('b');
            INSERT INTO "Item" ("id", "deleted") VALUES ('a', 1), ('b', 1), ('c', 1)
            """)
        let (item, other) = (try #require(store.table(named: "Item")), try #require(store.table(named: "Other")))
        let step = try await store.purgeTombstones(of: item, from: nil, before: ImportRow.latestStamp, limit: 10)
        #expect(step.removed == 2 && step.kept.map(\.id) == [.text("b")])
        #expect(step.kept.first?.reason.contains("it is held") == true)
        let grave = try #require(
            try await store.find(.text("a"), in: other, includeDeleted: true, into: RecordedRows()))
        #expect(grave.row["deleted"] == .boolean(true))
        #expect(
            try await store.find(.text("b"), in: other, includeDeleted: false, into: RecordedRows()) != nil)
        await store.close()
    }
}
