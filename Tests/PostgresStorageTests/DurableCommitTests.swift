import Foundation
import PostgresStorage
import PostgresTesting
import StorageTesting
import Synchronization
import Tables
import Testing
import WireTesting

@Suite(.ownThread, .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Commits on PostgreSQL` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    /// A store's database whose sessions begin with these settings, as a role or a database may give them too.
    private func backend(_ settings: [String], keepsSessions: Bool) throws -> PostgresBackend {
        let backend = try PostgresBackend.make()
        let options = settings.map { "%20-c\($0)" }.joined()
        let schema = "search_path%3D\(backend.schema)"
        var changed = PostgresBackend(
            url: backend.url.replacingOccurrences(of: schema, with: schema + options), schema: backend.schema)
        changed.settings.keepsSessions = keepsSessions
        return changed
    }

    /// Has every insert into these tables note the setting under which it is committed.
    private func watch(_ tables: [String], in backend: PostgresBackend) async throws {
        var script = """
            CREATE TABLE seen (place text, setting text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO seen VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
                RETURN NULL;
            END $$;

            """
        for table in tables {
            script += "CREATE TRIGGER note AFTER INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION note();\n"
        }
        try await backend.run(script)
    }

    private func seen(in backend: PostgresBackend) async throws -> [[String?]] {
        try await RawSession(backend.url).run("SELECT DISTINCT place, setting FROM seen ORDER BY place, setting")
    }

    @Test(
        arguments: [
            ("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply"),
        ], [true, false])
    func `are on disk before they are acknowledged, whatever is set elsewhere`(
        _ setting: (outside: String, inside: String), keepsSessions: Bool
    ) async throws {
        let backend = try backend(["synchronous_commit%3D\(setting.outside)"], keepsSessions: keepsSessions)
        defer { backend.remove() }
        #expect(try await RawSession(backend.url).run("SHOW synchronous_commit") == [[setting.outside]])
        let opened = try await backend.open([Self.items])
        let store = try #require(opened as? PostgresTableStore)
        try await watch(["\"Item\"", "zumod_users", "zumod_tables", "zumod_writers"], in: backend)
        let table = try #require(store.table(named: Self.items.name))
        _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        #expect(try await store.addUser("alice", passwordHash: "x"))
        _ = try await store.createTable(TableDefinition(name: "Other"))
        let places = ["Item", "zumod_tables", "zumod_users", "zumod_writers"]
        #expect(try await seen(in: backend) == places.map { [$0, setting.inside] })
        try await backend.close(store)
    }

    @Test(arguments: [("off", true), ("on", false)], [true, false])
    func `go on, and the log says once that they may get lost, where the database forbids the setting`(
        _ setting: (outside: String, isTold: Bool), keepsSessions: Bool
    ) async throws {
        // A function of the schema comes before the system's own.
        var backend = try backend(
            ["search_path%3D$%2Cpg_catalog", "synchronous_commit%3D\(setting.outside)"], keepsSessions: keepsSessions)
        backend = PostgresBackend(
            url: backend.url.replacingOccurrences(of: "$", with: backend.schema), schema: backend.schema,
            settings: backend.settings)
        defer { backend.remove() }
        try await backend.run(
            """
            CREATE FUNCTION set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                IF name = 'synchronous_commit' THEN RAISE 'not here' USING ERRCODE = '42501'; END IF;
                RETURN pg_catalog.set_config(name, value, is_local);
            END $$
            """)
        let notes = Mutex<[PostgresNote]>([])
        backend.settings.report = { note in notes.withLock { $0.append(note) } }
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        try await watch(["\"Item\""], in: backend)
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    _ = try await store.insert([], id: .text("\(number)"), in: table, into: RecordedRows())
                    _ = try await store.find(.text("\(number)"), in: table, into: RecordedRows())
                }
            }
            try await group.waitForAll()
        }
        #expect(try await seen(in: backend) == [["Item", setting.outside]])
        let warnings = notes.withLock { $0 }.filter { "\($0)".contains("synchronous_commit is off") }
        #expect(warnings.count == (setting.isTold ? 1 : 0))
        try await backend.close(store)
    }
}
