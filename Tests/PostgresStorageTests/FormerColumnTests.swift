import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

/// Tables of Mobile Services, moved to PostgreSQL as they were.
@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Adopting a table of Mobile Services` {
    private func plan(_ backend: PostgresBackend, softDelete: Bool = true) async throws -> PostgresAdoption {
        try await PostgresAdoption.plan("bikes", softDelete: softDelete, url: backend.url)
    }

    @Test(
        arguments: [
            (
                "timestamptz DEFAULT now()", "timestamptz", "bigint NOT NULL DEFAULT 7", "boolean DEFAULT false",
                "true", "NULL"
            ),
            ("timestamp", "timestamp", "bytea", "int2 NOT NULL DEFAULT 0", "1", "0"),
            ("text", "varchar(40)", "text", "text", "'True'", "'0'"),
            ("timestamptz", "text", "timestamp", "int8", "1", "NULL"),
        ], ["", "__DELETED"])
    func `its columns become the server's, and deleted rows stay deleted`(
        _ types: (String, String, String, String, String, String), _ spelled: String
    ) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let deleted = spelled.isEmpty ? "__deleted" : spelled
        try await backend.run(
            """
            CREATE TABLE bikes (id varchar(255) PRIMARY KEY, "__createdAt" \(types.0), "__updatedAt" \(types.1),
                "__version" \(types.2), "\(deleted)" \(types.3), name text);
            CREATE INDEX old ON bikes ("__updatedAt");
            INSERT INTO bikes (id, "__createdAt", "\(deleted)", name) VALUES
                ('a', '2014-05-12 10:11:12.123', \(types.4), 'gone'), ('b', '2014-05-12 10:11:13', \(types.5), 'live')
            """)
        let plan = try await plan(backend)
        #expect(plan.ignoredColumns == [])
        #expect(plan.statements.contains { $0.contains("RENAME COLUMN \"\(deleted)\" TO \"deleted\"") })
        try await plan.perform()
        var bikes = TableDefinition(name: "bikes")
        bikes.rules.softDelete = true
        let store = try await backend.open([bikes])
        let table = try #require(store.table(named: "bikes"))
        #expect(table.columns == [Column("name", .string)])
        var query = TableQuery(limit: 10)
        let live = try await store.list(query, in: table, into: RecordedRows()).rows
        #expect(live.rows.map { $0["name"] } == [.text("live")])
        query.includeDeleted = true
        let all = try await store.list(query, in: table, into: RecordedRows()).rows
        #expect(all.rows.count == 2 && Set(all.stamps).count == 2)
        let created = try await RawSession(backend.url).run(
            "SELECT to_char(\"createdAt\" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') FROM bikes WHERE id = 'a'")
        #expect(created == [["2014-05-12 10:11:12.123"]])
        // Other programs' rows get versions and stamps too, whatever stood there by default.
        try await backend.run("INSERT INTO bikes (id, name) VALUES ('c', 'raw')")
        query.includeDeleted = false
        #expect(try await store.list(query, in: table, into: RecordedRows()).rowCount == 2)
        #expect(
            try await PostgresVerification.findings(at: backend.url, tables: [bikes])
                .filter { !$0.problem.contains("the server's setting") } == [])
        try await backend.close(store)
    }

    @Test(arguments: [
        (#""__deleted" boolean, deleted boolean"#, "both the server's"),
        (#""__deleted" boolean, "__Deleted" boolean"#, "both the server's deleted: drop one"),
        (#""__version" int8, version int8"#, "both the server's"), (#""__deleted" bytea"#, "can't become the server's"),
        (#""__createdAt" int8"#, "can't become the server's createdAt: make it timestamp"),
        (#""__deleted" bit"#, "make it boolean first"),
    ])
    func `columns that can't become the server's are refused`(_ columns: String, words: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE bikes (id text PRIMARY KEY, \(columns))")
        let error = await #expect(throws: TableError.self) { _ = try await plan(backend) }
        guard case .definition(let sentence) = error else { throw PostgresBackend.NoServer() }
        #expect(sentence.contains(words), "\(sentence)")
    }

    @Test(arguments: ["NEW.\"__updatedAt\" := now();", "PERFORM 1 WHERE NEW.\"__updatedAt\" IS NULL;"])
    func `a trigger that knows such a column by its name is refused`(_ body: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE bikes (id text PRIMARY KEY, "__updatedAt" timestamptz);
            CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) RETURN NEW; END $$;
            CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON bikes FOR EACH ROW EXECUTE FUNCTION touch()
            """)
        let error = await #expect(throws: TableError.self) { _ = try await plan(backend) }
        guard case .definition(let sentence) = error else { throw PostgresBackend.NoServer() }
        #expect(sentence.contains("its trigger touch speaks of \"__updatedAt\""), "\(sentence)")
    }

    @Test(arguments: ["__deleted", "deleted"])
    func `rows that are deleted aren't shown by a table that keeps no tombstones`(_ name: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run(
            "CREATE TABLE bikes (id text PRIMARY KEY, \"\(name)\" boolean); INSERT INTO bikes VALUES ('a', true), ('b', false)"
        )
        let error = await #expect(throws: TableError.self) { _ = try await plan(backend, softDelete: false) }
        guard case .definition(let sentence) = error else { throw PostgresBackend.NoServer() }
        #expect(sentence.contains("1 of its rows are deleted ones"), "\(sentence)")
        // As the words say.
        let remedy = try #require(sentence.firstRange(of: "DELETE FROM")).lowerBound
        try await backend.run(String(sentence[remedy...].dropLast()))
        try await plan(backend, softDelete: false).perform()
        #expect(try await RawSession(backend.url).run("SELECT id FROM bikes") == [["b"]])
    }

    @Test func `a view of them, an empty text and a null keep nobody from it`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE bikes (id text PRIMARY KEY, "__createdAt" text, "__deleted" boolean);
            CREATE VIEW gone AS SELECT id, "__deleted" FROM bikes;
            INSERT INTO bikes VALUES ('a', ' ', true), ('b', '2014-05-12T10:11:12Z', NULL)
            """)
        try await plan(backend).perform()
        let rows = try await RawSession(backend.url).run(
            "SELECT b.id, b.deleted::text, g.\"__deleted\"::text FROM bikes b JOIN gone g USING (id) ORDER BY 1")
        #expect(rows == [["a", "true", "true"], ["b", "false", "false"]])
    }

    @Test(arguments: [
        (#""__deleted" int CHECK ("__deleted" < 2)"#, "NULL", true, "ALTER COLUMN \"deleted\" TYPE boolean"),
        (#""__createdAt" text"#, "'once'", true, "invalid input syntax"),
        (#""__deleted" text"#, "'perhaps'", false, "its deleted rows can't be counted"),
    ])
    func `what PostgreSQL won't change is said in words, and nothing is changed`(
        _ column: String, _ value: String, _ softDelete: Bool, words: String
    ) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run(
            "CREATE TABLE bikes (id text PRIMARY KEY, \(column)); INSERT INTO bikes VALUES ('a', \(value))")
        let error = await #expect(throws: TableError.self) {
            try await plan(backend, softDelete: softDelete).perform()
        }
        guard case .definition(let sentence) = error else { throw PostgresBackend.NoServer() }
        #expect(sentence.contains("nothing was changed") && sentence.contains(words), "\(sentence)")
        let columns = try await RawSession(backend.url).run(
            "SELECT attname::text FROM pg_attribute WHERE attrelid = 'bikes'::regclass AND attnum > 0 ORDER BY 1")
        #expect(columns.count == 2 && columns[0][0]?.hasPrefix("__") == true)
    }
}
