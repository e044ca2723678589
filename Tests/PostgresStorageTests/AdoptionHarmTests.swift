import OData
import PostgresTesting
import StorageTesting
import Tables
import Testing
import WireTesting

@testable import PostgresStorage

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Adoption leaves the other program at work` {
    private static func adopt(
        softDelete: Bool = true, _ backend: PostgresBackend
    ) async throws {
        try await PostgresAdoption.plan("Bikes", softDelete: softDelete, url: backend.url).perform()
    }

    @Test(
        arguments: [true, false], ["id text PRIMARY KEY DEFAULT gen_random_uuid()::text", "id bigserial PRIMARY KEY"])
    func `a role without any right to zumod's tables goes on writing`(softDelete: Bool, id: String) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let role = "app_\(backend.schema)"
        try await backend.run("CREATE TABLE \"Bikes\" (\(id), name text)")
        try await Self.adopt(softDelete: softDelete, backend)
        try await backend.run(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(backend.schema) TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON "Bikes" TO \(role);
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(backend.schema) TO \(role);
            REVOKE ALL ON SEQUENCE zumod_version FROM \(role)
            """)
        defer { _ = try? RawSession(backend.url).runNow("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let app = try RawSession(backend.url.replacing("//zumod@", with: "//\(role)@"))
        // Its search path finds other tables of these names first.
        try await app.run(
            """
            CREATE TEMPORARY TABLE zumod_tables (name text, last_stamp bigint);
            INSERT INTO "Bikes" (name) VALUES ('tandem'), ('trike'); UPDATE "Bikes" SET name = 'x' WHERE name = 'trike';
            DELETE FROM "Bikes" WHERE name = 'x'
            """)
        await #expect(throws: (any Error).self) { try await app.run("SELECT * FROM zumod_secrets") }
        let rows = try await RawSession(backend.url).run(
            "SELECT name, deleted, version > 0, \"updatedAt\" > now() - interval '1 day' FROM \"Bikes\" ORDER BY 1")
        #expect(rows == [["tandem", "f", "t", "t"]] + (softDelete ? [["x", "t", "t", "t"]] : []))
        // Nobody else makes a trigger of them, which would have their owner's rights.
        await #expect(throws: (any Error).self) {
            try await app.run(
                """
                CREATE TEMPORARY TABLE mine (id text, deleted boolean);
                CREATE TRIGGER t BEFORE DELETE ON mine FOR EACH ROW EXECUTE FUNCTION \(backend.schema).zumod_keep()
                """)
        }
    }

    @Test func `the table's own triggers don't fire, and are as they were afterwards`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE "Bikes" (
                id text PRIMARY KEY, name text, updated_at timestamptz, twin text REFERENCES "Bikes" (id),
                words tsvector GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED);
            CREATE TABLE audit (what text, bike text REFERENCES "Bikes" (id));
            INSERT INTO "Bikes" VALUES ('a', 'tandem', '2020-01-01Z'), ('b', 'trike', NULL);
            CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.updated_at := now(); INSERT INTO audit VALUES (NEW.id); RETURN NEW; END $$;
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO audit SELECT TG_NAME; RETURN NULL; END $$;
            CREATE TRIGGER "Touch it" BEFORE UPDATE ON "Bikes" FOR EACH ROW EXECUTE FUNCTION touch();
            CREATE TRIGGER always AFTER INSERT OR UPDATE ON "Bikes" EXECUTE FUNCTION note();
            CREATE TRIGGER off AFTER UPDATE ON "Bikes" EXECUTE FUNCTION note();
            CREATE TRIGGER copy AFTER UPDATE ON "Bikes" EXECUTE FUNCTION note();
            CREATE CONSTRAINT TRIGGER checked AFTER UPDATE ON "Bikes" FOR EACH ROW EXECUTE FUNCTION note();
            ALTER TABLE "Bikes" ENABLE ALWAYS TRIGGER always, DISABLE TRIGGER off, ENABLE REPLICA TRIGGER copy
            """)
        let session = try RawSession(backend.url)
        let enabled =
            "SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = '\"Bikes\"'::regclass"
            + " AND NOT tgisinternal AND NOT tgname LIKE 'zumod%' ORDER BY 1"
        let (modes, rows) = (try await session.run(enabled), "SELECT id, name, updated_at FROM \"Bikes\" ORDER BY 1")
        let before = try await session.run(rows)
        try await Self.adopt(backend)
        #expect(try await session.run(enabled) == modes && modes.count == 5)
        #expect(try await session.run(rows) == before)
        #expect(try await session.run("SELECT * FROM audit") == [])
        try await session.run("UPDATE \"Bikes\" SET name = 'x' WHERE id = 'a'")
        #expect(try await session.run("SELECT what FROM audit ORDER BY 1") == [["a"], ["always"], ["checked"]])
    }

    @Test func `rows that are neither deleted nor not are live, and stamps have no more digits than clients see`()
        async throws
    {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE "Bikes" (
                id text PRIMARY KEY, deleted boolean, "updatedAt" timestamptz, "createdAt" timestamptz);
            INSERT INTO "Bikes" (id, deleted) VALUES ('a', NULL), ('b', true), ('c', false)
            """)
        try await Self.adopt(backend)
        // What the other program always did it still can do.
        try await backend.run(
            """
            INSERT INTO "Bikes" VALUES ('d', NULL, NULL, NULL); INSERT INTO "Bikes" (id) VALUES ('e');
            UPDATE "Bikes" SET deleted = NULL, "createdAt" = NULL WHERE id = 'c'
            """)
        let rows = try await RawSession(backend.url).run(
            """
            SELECT id, deleted, "updatedAt" = date_trunc('milliseconds', "updatedAt"), "createdAt" IS NOT NULL
            FROM "Bikes" ORDER BY 1
            """)
        #expect(rows == [["a", "f"], ["b", "t"], ["c", "f"], ["d", "f"], ["e", "f"]].map { $0 + ["t", "t"] })
        var definition = TableDefinition(name: "Bikes")
        definition.rules.softDelete = true
        let store = try await backend.open([definition])
        let table = try #require(store.table(named: "Bikes"))
        // A page of one at a time comes to an end, by stamps and ids.
        var query = TableQuery(limit: 1)
        query.includeDeleted = true
        query.order = try QueryOptions.parse([("$orderby", "updatedAt")], language: .apps).order
        var ids: [String] = []
        repeat {
            let page = try await store.list(query, in: table, into: RecordedRows())
            ids += page.rows.ids
            query.after = page.cursor
        } while query.after != nil && ids.count < 10
        #expect(ids.sorted() == ["a", "b", "c", "d", "e"])
        try await backend.close(store)
    }

    @Test func `what tables hold that were adopted long ago is found, and the remedies work`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE \"Bikes\" (id text PRIMARY KEY); INSERT INTO \"Bikes\" VALUES ('a'), ('b')")
        try await Self.adopt(backend)
        try await backend.run(
            """
            ALTER TABLE "Bikes" ALTER COLUMN deleted DROP NOT NULL, DISABLE TRIGGER zumod_updated,
                ALTER COLUMN "updatedAt" TYPE timestamptz;
            UPDATE "Bikes" SET deleted = NULL WHERE id = 'a';
            UPDATE "Bikes" SET "updatedAt" = "updatedAt" + interval '7 microseconds' WHERE id = 'b';
            ALTER TABLE "Bikes" ENABLE TRIGGER zumod_updated
            """)
        let found = try await PostgresVerification.findings(at: backend.url, tables: []).filter { $0.table != nil }
        for words in ["1 of its rows have a null in the column deleted", "1 of its rows have stamps between two"] {
            let finding = try #require(found.first { $0.problem.contains(words) }, "\(found)")
            try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n"))
        }
        #expect(try await PostgresVerification.findings(at: backend.url, tables: []).allSatisfy { $0.table == nil })
        let store = try await backend.open([TableDefinition(name: "Bikes")])
        let table = try #require(store.table(named: "Bikes"))
        #expect(try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rowCount == 2)
        try await backend.close(store)
    }

    @Test func `a table in use is waited for briefly, and the words say by whom`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE \"Bikes\" (id text PRIMARY KEY); INSERT INTO \"Bikes\" VALUES ('a')")
        let plan = try await PostgresAdoption.plan("Bikes", softDelete: true, url: backend.url)
        let holder = try RawSession(backend.url.replacing("name=\(backend.schema)", with: "name=Reports"))
        try await holder.run("BEGIN; SELECT * FROM \"Bikes\"")
        let pid = try await holder.run("SELECT pg_backend_pid()")[0][0] ?? ""
        let locks = try backend.locks()
        async let attempt: Void = plan.perform(attempts: 1)
        #expect(await locks.contains(true))
        let begin = ContinuousClock.now
        // Behind it, as whoever reads the table is: no longer than it waits itself.
        try await RawSession(backend.url).run("SELECT * FROM \"Bikes\"")
        #expect(ContinuousClock.now - begin < Patience.time(.seconds(20)))
        do {
            try await attempt
            Issue.record("it was done")
        } catch let error as TableError {
            #expect(error.detail.contains("session \(pid) of Reports, idle in transaction"), "\(error.detail)")
        }
        #expect(
            try await RawSession(backend.url).run(
                "SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = '\"Bikes\"'::regclass AND attnum > 0"
            )
                == [["id"]])
        async let second: Void = plan.perform()
        #expect(try await backend.isLocked())
        try await holder.run("COMMIT")
        try await second
    }

    /// Statements after which `Bikes` can't be adopted, and what the refusal says.
    private static let obstacles = [
        ("ALTER TABLE \"Bikes\" SET UNLOGGED", "unlogged"),
        ("CREATE RULE keep AS ON DELETE TO \"Bikes\" DO INSTEAD NOTHING", "its rule keep"),
        ("CREATE TABLE tandems () INHERITS (\"Bikes\")", "inheritance (tandems)"),
        ("CREATE TABLE base (name text); ALTER TABLE \"Bikes\" INHERIT base", "a part of base"),
        ("ALTER TABLE \"Bikes\" DROP CONSTRAINT \"Bikes_pkey\", ADD PRIMARY KEY (id) DEFERRABLE", "deferrable"),
        ("ALTER TABLE \"Bikes\" ADD UNIQUE (name) DEFERRABLE INITIALLY DEFERRED", "deferrable"),
        (
            """
            ALTER TABLE "Bikes" ADD FOREIGN KEY (shop) REFERENCES shops (id) DEFERRABLE
            """, "deferrable"
        ),
        ("CREATE TABLE rides (bike text REFERENCES \"Bikes\" (id) DEFERRABLE INITIALLY DEFERRED)", "rides"),
        (
            "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON \"Bikes\" DEFERRABLE FOR EACH ROW EXECUTE FUNCTION plain()",
            "late"
        ),
        (
            "ALTER TABLE \"Bikes\" ADD upper_name text GENERATED ALWAYS AS (upper(name)) STORED",
            "upper_name is generated"
        ),
        ("ALTER TABLE \"Bikes\" ADD number int GENERATED ALWAYS AS IDENTITY", "number"),
        ("ALTER TABLE \"Bikes\" ADD deleted boolean GENERATED ALWAYS AS (name IS NULL) STORED", "deleted"),
        ("ALTER TABLE \"Bikes\" ADD version bigint DEFAULT 1", "version has a default"),
        ("ALTER TABLE \"Bikes\" ADD FOREIGN KEY (shop) REFERENCES shops (id) ON DELETE CASCADE", "ON DELETE CASCADE"),
        ("ALTER TABLE \"Bikes\" ADD FOREIGN KEY (shop) REFERENCES shops (id) ON DELETE SET NULL", "ON DELETE SET NULL"),
        ("ALTER TABLE \"Bikes\" ADD FOREIGN KEY (shop) REFERENCES shops (id) ON DELETE SET DEFAULT", "SET DEFAULT"),
        ("ALTER TABLE \"Bikes\" ADD FOREIGN KEY (shop) REFERENCES shops (id) ON UPDATE CASCADE", "ON UPDATE CASCADE"),
        ("CREATE TABLE rides (bike text REFERENCES \"Bikes\" (id) ON DELETE CASCADE)", "the table rides's foreign key"),
        ("CREATE TABLE rides (bike text REFERENCES \"Bikes\" (id) ON UPDATE SET NULL)", "ON UPDATE SET NULL"),
        (
            "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                + "ALTER TABLE \"Bikes\" ALTER id TYPE text COLLATE loose", "different texts are equal"
        ),
        (
            "CREATE TYPE bike AS (name text); CREATE TABLE typed OF bike; DROP TABLE \"Bikes\"; ALTER TABLE typed RENAME TO \"Bikes\"",
            "table of a type"
        ),
        ("DROP TABLE \"Bikes\"; CREATE VIEW \"Bikes\" AS SELECT 'a' AS id", "a view"),
        ("DROP TABLE \"Bikes\"; CREATE MATERIALIZED VIEW \"Bikes\" AS SELECT 'a' AS id", "a materialized view"),
        ("DROP TABLE \"Bikes\"; CREATE TABLE \"Bikes\" (id text PRIMARY KEY) PARTITION BY HASH (id)", "is partitioned"),
    ]

    @Test(arguments: obstacles)
    func `what would lose rows or writes is refused in words before anything is changed`(
        sql: String, words: String
    ) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE shops (id text PRIMARY KEY);
            CREATE TABLE "Bikes" (id text PRIMARY KEY, name text, shop text);
            CREATE FUNCTION plain() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$
            """)
        try await backend.run(sql)
        let error = await #expect(throws: TableError.self) {
            _ = try await PostgresAdoption.plan("Bikes", softDelete: true, url: backend.url)
        }
        guard case .definition(let sentence)? = error else { throw PostgresBackend.NoServer() }
        #expect(sentence.contains(words) && sentence.contains("Bikes"), "\(sentence)")
        #expect(try await RawSession(backend.url).run("SELECT to_regclass('zumod_tables')") == [[nil]])
    }

    @Test(arguments: [
        ("ALTER TABLE \"Bikes\" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", true, "row-level security"),
        ("ALTER TABLE \"Bikes\" ENABLE ROW LEVEL SECURITY", true, nil),
        ("SELECT 1", false, "it belongs to zumod"),
    ])
    func `a table whose rows the server's user can't see or change is refused`(
        sql: String, isOwner: Bool, words: String?
    ) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let role = "server_\(backend.schema)"
        try await backend.run(
            """
            CREATE TABLE "Bikes" (id text PRIMARY KEY); CREATE ROLE \(role) LOGIN;
            GRANT ALL ON SCHEMA \(backend.schema) TO \(role); \(sql)
            """)
        defer { _ = try? RawSession(backend.url).runNow("DROP OWNED BY \(role); DROP ROLE \(role)") }
        if isOwner { try await backend.run("ALTER TABLE \"Bikes\" OWNER TO \(role)") }
        let url = backend.url.replacing("//zumod@", with: "//\(role)@")
        do throws(TableError) {
            let plan = try await PostgresAdoption.plan("Bikes", softDelete: true, url: url)
            #expect(words == nil)
            try await plan.perform()
        } catch {
            #expect(words.map(error.detail.contains) == true, "\(error.detail)")
        }
    }

    @Test func `all that stands in the way is said at once`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE UNLOGGED TABLE "Bikes" (id int, updatedat text, deleted text);
            CREATE RULE keep AS ON DELETE TO "Bikes" DO INSTEAD NOTHING
            """)
        let error = await #expect(throws: TableError.self) {
            _ = try await PostgresAdoption.plan("Bikes", softDelete: true, url: backend.url)
        }
        for words in ["unlogged", "its rule keep", "not unique", "doesn't give them", "updatedat", "column deleted"] {
            #expect(error?.detail.contains(words) == true, "\(words)")
        }
    }

    @Test(arguments: [
        ("FOR EACH ROW", "BEGIN NEW.version := 1; RETURN NEW; END", true),
        ("FOR EACH ROW", "BEGIN NEW.\"updatedAt\" = now(); RETURN NEW; END", true),
        ("FOR EACH ROW", "BEGIN INSERT INTO audit VALUES (NEW.id); NEW.name := 'x'; RETURN NEW; END", false),
    ])
    func `a trigger that sets a column of zumod's is refused, and another is not`(
        each: String, body: String, isRefused: Bool
    ) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE TABLE audit (id text);
            CREATE TABLE "Bikes" (id text PRIMARY KEY, name text, version bigint, "updatedAt" timestamptz);
            CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ \(body) $$;
            CREATE TRIGGER change BEFORE INSERT OR UPDATE ON "Bikes" \(each) EXECUTE FUNCTION change()
            """)
        do {
            try await Self.adopt(backend)
            #expect(!isRefused)
        } catch let error as TableError {
            #expect(isRefused && error.detail.contains("its trigger change sets"), "\(error.detail)")
        }
    }
}
