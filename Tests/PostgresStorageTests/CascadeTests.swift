import PostgresTesting
import StorageTesting
import TableSQL
import Tables
import Testing

@testable import PostgresStorage

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Rows that go with others` {
    private static let tables: [TableDefinition] = {
        var child = TableDefinition(name: "Child", columns: [Column("parent", .string)])
        child.rules.softDelete = true
        return [TableDefinition(name: "Parent"), child]
    }()

    @Test(arguments: [
        #"ALTER TABLE "Child" ADD FOREIGN KEY ("parent") REFERENCES "Parent" ("id") ON DELETE CASCADE"#,
        """
        CREATE FUNCTION tidy() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN DELETE FROM "Child" WHERE "parent" = OLD."id"; RETURN OLD; END $$;
        CREATE TRIGGER tidy AFTER DELETE ON "Parent" FOR EACH ROW EXECUTE FUNCTION tidy()
        """,
    ])
    func `stay as tombstones that devices pull`(cause: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open(Self.tables)
        try await backend.run(cause)
        let parent = try #require(store.table(named: "Parent"))
        let child = try #require(store.table(named: "Child"))
        for id in ["a", "b"] {
            _ = try await store.insert([], id: .text(id), in: parent, into: RecordedRows())
            _ = try await store.insert(
                [Property("parent", .text(id))], id: .text("of \(id)"), in: child, into: RecordedRows())
        }
        let last = try #require(
            try await store.find(.text("of b"), in: child, includeDeleted: false, into: RecordedRows()))
        let deleted = try await store.delete(.text("a"), if: .none, scope: nil, in: parent, into: RecordedRows())
        #expect(deleted.outcome == .written)
        let grave = try #require(
            try await store.find(.text("of a"), in: child, includeDeleted: true, into: RecordedRows()))
        #expect(grave.row["deleted"] == .boolean(true))
        #expect(try #require(grave.updatedAt) > #require(last.updatedAt))
        #expect(try #require(grave.version) > #require(last.version))
        try await backend.close(store)
    }

    @Test func `a trigger that won't let a tombstone go keeps that one alone`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try #require(try await backend.open(Self.tables) as? PostgresTableStore)
        try await backend.run(
            """
            CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF OLD."id" = 'b' THEN RAISE EXCEPTION 'it is held'; END IF; RETURN OLD; END $$;
            CREATE TRIGGER a_hold BEFORE DELETE ON "Child" FOR EACH ROW EXECUTE FUNCTION hold();
            INSERT INTO "Child" ("id", "deleted") VALUES ('a', true), ('b', true), ('c', true)
            """)
        let child = try #require(store.table(named: "Child"))
        let step = try await store.purgeTombstones(of: child, from: nil, before: ImportRow.latestStamp, limit: 10)
        #expect(step.removed == 2 && step.kept.map(\.id) == [.text("b")])
        #expect(step.kept.first?.reason.contains("it is held") == true)
        try await backend.close(store)
    }

    @Test func `of a table that the server may not read are let alone, with all that they may refer to`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.close(try await backend.open(Self.tables))
        let (role, schema) = ("\(backend.schema)_role", backend.schema)
        try await backend.run(
            """
            CREATE ROLE \(role) LOGIN;
            GRANT USAGE ON SCHEMA \(schema) TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role);
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role);
            INSERT INTO "Child" ("id", "deleted") VALUES ('a', true), ('b', true);
            CREATE TABLE strict (child text PRIMARY KEY REFERENCES "Child" ("id"));
            INSERT INTO strict VALUES ('b')
            """)
        let store = try await PostgresTableStore.open(
            url: backend.url.replacing("//zumod@", with: "//\(role)@"), tables: Self.tables, servesClientTables: false,
            settings: backend.settings)
        let child = try #require(store.table(named: "Child"))
        let step = try await store.purgeTombstones(of: child, from: nil, before: ImportRow.latestStamp, limit: 10)
        #expect(step.removed == 1 && step.kept.map(\.id) == [.text("b")])
        try await backend.run(
            """
            DROP TABLE strict;
            CREATE TABLE soft (child text PRIMARY KEY REFERENCES "Child" ("id") ON DELETE CASCADE);
            INSERT INTO soft VALUES ('b')
            """)
        let error = await #expect(throws: TableError.self) {
            _ = try await store.purgeTombstones(of: child, from: nil, before: ImportRow.latestStamp, limit: 10)
        }
        #expect("\(String(describing: error))".contains("rows of \(schema).soft may refer to tombstones of Child"))
        await store.close()
        // A start that would have to change what is the owner's says who can.
        try await backend.run(#"DROP TRIGGER zumod_updated ON "Child""#)
        let refusal = await #expect(throws: TableError.self) {
            _ = try await PostgresTableStore.open(
                url: backend.url.replacing("//zumod@", with: "//\(role)@"), tables: Self.tables,
                servesClientTables: false, settings: backend.settings)
        }
        #expect("\(String(describing: refusal))".contains("run `zumod migrate` as the tables' owner"))
        try await backend.run("DROP OWNED BY \(role); DROP ROLE \(role)")
    }
}
