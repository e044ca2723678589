import OData
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing

@testable import PostgresStorage

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Edits of many rows by SQL` {
    private static let tables: [TableDefinition] = (["Item", "Other"] as [Identifier]).map { name in
        var definition = TableDefinition(name: name, columns: [Column("text", .string)])
        definition.rules.softDelete = true
        return definition
    }

    private static let updates = "SELECT pg_stat_get_xact_tuples_updated('zumod_tables'::regclass)"

    @Test(arguments: [
        #"INSERT INTO "Item" ("id") SELECT i::text FROM generate_series(5001, 10000) i"#,
        #"UPDATE "Item" SET "text" = 'x'"#, #"DELETE FROM "Item""#,
    ])
    func `take stamps in few blocks, and devices pull each row`(edit: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        try await backend.run(#"INSERT INTO "Item" ("id") SELECT i::text FROM generate_series(1, 5000) i"#)
        let pull = try Pull(from: store)
        try await pull.go()
        // The counts of a session are its own where it has done nothing before.
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; \(edit)")
        let updates = try await raw.run(Self.updates)
        try await raw.run("COMMIT")
        // 14 where nobody stalls; one for each row made the time grow with the square of their number.
        #expect(Int(updates[0][0] ?? "") ?? 5_000 < 100)
        let row = try await store.insert([], id: .text("behind"), in: pull.table, into: RecordedRows())
        #expect(row.outcome == .written)
        #expect(try await pull.go() == 5_001)
        try await expectOrder(in: backend, of: "Item")
        try await backend.close(store)
    }

    @Test func `keep the order of stamps through savepoints, and in two tables in turn`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        let pull = try Pull(from: store)
        let raw = try RawSession(backend.url)
        // With the savepoint its turn is gone, and the stamps that it had.
        try await raw.run(#"BEGIN; SAVEPOINT s; INSERT INTO "Item" ("id") SELECT i::text FROM generate_series(1, 6) i"#)
        try await raw.run("ROLLBACK TO s")
        _ = try await store.insert([], id: .text("meanwhile"), in: pull.table, into: RecordedRows())
        #expect(try await pull.go() == 1)
        try await raw.run(
            """
            DO $$ BEGIN
                FOR i IN 1..300 LOOP
                    INSERT INTO "Item" ("id") VALUES ('a' || i);
                    INSERT INTO "Other" ("id") VALUES ('a' || i);
                    BEGIN
                        INSERT INTO "Item" ("id") VALUES ('lost' || i), ('lost too' || i);
                        RAISE EXCEPTION 'taken back';
                    EXCEPTION WHEN raise_exception THEN END;
                    BEGIN
                        INSERT INTO "Item" ("id") VALUES ('b' || i);
                    EXCEPTION WHEN raise_exception THEN END;
                END LOOP;
            END $$
            """)
        let updates = try await raw.run(Self.updates)
        try await raw.run("COMMIT")
        #expect(Int(updates[0][0] ?? "") ?? 1_500 < 150)
        #expect(try await pull.go() == 600)
        for name in ["Item", "Other"] { try await expectOrder(in: backend, of: name) }
        try await backend.close(store)
    }

    @Test func `have stamps of their time in a transaction that takes long`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        // The third row's block has one more stamp.
        try await backend.run(
            """
            BEGIN; INSERT INTO "Item" ("id") VALUES ('a'), ('b'), ('c');
            SELECT pg_sleep(1.2); INSERT INTO "Item" ("id") VALUES ('d'); COMMIT
            """)
        let apart = #"SELECT max("updatedAt") - min("updatedAt") >= interval '1.2 s' FROM "Item""#
        #expect(try await RawSession(backend.url).run(apart) == [["t"]])
        try await expectOrder(in: backend, of: "Item")
        try await backend.close(store)
    }

    @Test(arguments: ["nonsense", "", "1 5 9 4", "1 2 3", "%s 99999999999999999999 9 9", "%s 9 8 99999999"])
    func `take no stamps from a setting that another transaction or nobody left`(setting: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        try await backend.run(
            """
            BEGIN; SELECT set_config('zumod.stamps_Item', replace('\(setting)', '%s', pg_current_xact_id()::text), false);
            INSERT INTO "Item" ("id") VALUES ('a'), ('b'); COMMIT
            """)
        let late = #"SELECT count(*) FROM "Item" WHERE "updatedAt" > now() - interval '1 minute'"#
        #expect(try await RawSession(backend.url).run(late) == [["2"]])
        let table = try #require(store.table(named: "Item"))
        _ = try await store.insert([], id: .text("c"), in: table, into: RecordedRows())
        try await expectOrder(in: backend, of: "Item")
        try await backend.close(store)
    }

    @Test func `have versions of their own where a trigger copies a row with its version`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        try await backend.run(
            """
            CREATE FUNCTION copy_item() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO "Other" SELECT NEW.* ON CONFLICT ("id")
                    DO UPDATE SET "version" = excluded."version", "updatedAt" = excluded."updatedAt";
                RETURN NULL;
            END $$;
            CREATE TRIGGER copying AFTER INSERT OR UPDATE ON "Item" FOR EACH ROW EXECUTE FUNCTION copy_item()
            """)
        let table = try #require(store.table(named: "Item"))
        for id in ["a", "b"] {
            _ = try await store.insert([], id: .text(id), in: table, into: RecordedRows())
            try await backend.run(#"UPDATE "Item" SET "version" = "version" + 1"#)
        }
        let shared = #"SELECT count(*) FROM "Item" JOIN "Other" USING ("version")"#
        #expect(try await RawSession(backend.url).run(shared) == [["0"]])
        for name in ["Item", "Other"] { try await expectOrder(in: backend, of: name) }
        try await backend.close(store)
    }

    @Test func `have versions of their own after a start that finds the triggers of the version before`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.close(backend.open(Self.tables))
        let former = #"ROW WHEN (NEW."version" IS NOT DISTINCT FROM OLD."version")"#
        let statement = """
            CREATE OR REPLACE TRIGGER zumod_updated BEFORE UPDATE ON "Item"
            FOR EACH \(former)
            EXECUTE FUNCTION zumod_renew('Item')
            """
        // As it was recorded, too.
        try await backend.run(
            #"""
            INSERT INTO "Item" ("id") VALUES ('a'); \#(statement);
            UPDATE zumod_triggers SET statement = $$\#(statement)$$, condition = (
                SELECT concat_ws(' ', current_setting('server_version_num')::int8 / 10000,
                    replace(substring(pg_get_triggerdef(oid) FROM ' WHEN \((.*)\) EXECUTE '), '"', ''))
                FROM pg_trigger WHERE tgname = 'zumod_updated' AND tgrelid = '"Item"'::regclass
            ) WHERE table_name = 'Item' AND name = 'zumod_updated';
            UPDATE "Item" SET "version" = 0
            """#)
        let version = #"SELECT "version", (SELECT count(*) FROM zumod_losses) FROM "Item""#
        #expect(try await RawSession(backend.url).run(version) == [["0", "0"]])
        // A loss would give each row a new version.
        try await backend.close(backend.open(Self.tables))
        #expect(try await RawSession(backend.url).run(version) == [["0", "0"]])
        try await backend.run(#"UPDATE "Item" SET "version" = 0"#)
        #expect(try await RawSession(backend.url).run(version) == [["2", "0"]])
    }

    @Test func `are refused or kept where all data of a dump is loaded beside its triggers`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.close(backend.open(Self.tables))
        // As after pg_restore --schema-only.
        try await backend.run("DELETE FROM zumod_tables")
        let row = #"INSERT INTO "Item" ("id", "version", "createdAt", "updatedAt") VALUES ('a', 7, now(), now())"#
        await #expect(throws: (any Error).self) { try await backend.run(row) }
        try await backend.run("SET zumod.writes = 'on'; \(row)")
        #expect(try await RawSession(backend.url).run(#"SELECT "version" FROM "Item""#) == [["7"]])
    }

    /// Expects each row to have a stamp and a version of its own, which grow together, and none behind the last given.
    private func expectOrder(in backend: PostgresBackend, of table: String) async throws {
        let rows = try await RawSession(backend.url).run(
            """
            SELECT count(*) FROM (
                SELECT "version" <= lag("version") OVER w OR "updatedAt" <= lag("updatedAt") OVER w
                    OR extract(epoch FROM "updatedAt") * 1000
                        > (SELECT last_stamp FROM zumod_tables WHERE name = '\(table)') AS wrong
                FROM "\(table)" WINDOW w AS (ORDER BY "updatedAt")
            ) rows WHERE wrong
            """)
        #expect(rows == [["0"]])
    }
}

/// A device that pulls by stamp.
private final class Pull {
    let table: Table
    private let store: any TableStore
    private var last = Instant(milliseconds: 0)

    init(from store: any TableStore) throws {
        self.store = store
        table = try #require(store.table(named: "Item"))
    }

    /// - Returns: how many rows there were.
    @discardableResult
    func go() async throws -> Int {
        var ids: Set<String> = []
        while true {
            var query = TableQuery(limit: 1_000)
            query.filter = .binary(.greater, .column("updatedAt", at: 0), .literal(.date(last), at: 0), at: 0)
            query.order = [OrderTerm(.column("updatedAt", at: 0))]
            query.includeDeleted = true
            let rows = try await store.list(query, in: table, into: RecordedRows()).rows
            guard let stamp = rows.stamps.last else { return ids.count }
            ids.formUnion(rows.ids)
            last = try #require(Instant(stamp))
        }
    }
}
