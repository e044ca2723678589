import StorageTesting
import TableSQL
import Tables
import Testing
import WireTesting

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

    @Test func `a purge asks SQLite and no table that is called as what asks`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let names: [Identifier] = ["pragma_foreign_key_list", "pragma_table_xinfo"]
        let tables = names.map { name in
            var definition = TableDefinition(name: name)
            definition.rules.softDelete = true
            return definition
        }
        let store = try SQLiteTableStore.open(backend.location, tables: tables, servesClientTables: false)
        for name in names {
            try await backend.run(
                """
                CREATE TABLE "of \(name)" ("parent" REFERENCES "\(name)");
                INSERT INTO "of \(name)" VALUES ('a');
                INSERT INTO "\(name)" ("id", "deleted") VALUES ('a', 1), ('b', 1)
                """)
            let table = try #require(store.table(named: name))
            let step = try await store.purgeTombstones(of: table, from: nil, before: ImportRow.latestStamp, limit: 10)
            #expect(step.removed == 1)
            #expect(step.kept == [RetainedTombstone(id: .text("a"), referredToBy: "of \(name)")])
        }
        await store.close()
    }

    @Test func `a purge looks once at the rows that refer, whether they have an index or not`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(backend.location, tables: Self.tables, servesClientTables: false)
        // Each by each, these would be a thousand million comparisons.
        try await backend.runUnseen(
            """
            ALTER TABLE "Item" ADD COLUMN "parent" TEXT REFERENCES "Item";
            CREATE TABLE "Note" ("item" TEXT REFERENCES "Item" ON DELETE CASCADE, "x" INTEGER);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
                INSERT INTO "Note" SELECT CASE WHEN i > 1 THEN 'none' || i END, i FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO "Item" ("id", "deleted", "version", "updatedAt", "parent")
                SELECT 'i' || i, 1, i, '2020-01-01T00:00:00.000Z', CASE i WHEN 1 THEN 'i1' WHEN 2 THEN 'i3' END FROM n;
            INSERT INTO "Note" VALUES ('i4', 0)
            """)
        let item = try #require(store.table(named: "Item"))
        let start = ContinuousClock.now
        let step = try await store.purgeTombstones(
            of: item, from: nil, before: ImportRow.latestStamp, limit: 20_000)
        #expect(start.duration(to: .now) < Patience.time(.seconds(30)))
        #expect(step.kept == [RetainedTombstone(id: .text("i4"), referredToBy: "Note")])
        #expect(step.removed == 19_999)
        await store.close()
    }
}
