import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing
import WireTesting

@Suite(.ownThread, .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `A connection to PostgreSQL that only the server takes for alive` {
    @Test(arguments: [true, false])
    func `has its session ended, so that the write is done by another`(keepsSessions: Bool) async throws {
        var backend = try PostgresBackend.make()
        defer { backend.remove() }
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        // Nothing but the store itself would end the session.
        backend.settings.silence = .zero
        backend.settings.lockPatience = .seconds(60)
        backend.settings.patience = .seconds(60)
        backend.settings.keepsSessions = keepsSessions
        let store = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port), tables: [TableDefinition(name: "Item")], servesClientTables: true,
            settings: backend.settings)
        let table = try #require(store.table(named: "Item"))
        let blocker = try RawSession(backend.url)
        try await blocker.run("SET application_name = 'blocker'; BEGIN; LOCK TABLE \"Item\" IN SHARE MODE")
        // It has its turn and waits for the lock: nothing is written, and nothing is decided.
        async let written = store.insert([], id: .text("a"), in: table, into: RecordedRows())
        let admin = try RawSession(backend.url)
        let waiting = """
            SELECT pid FROM pg_stat_activity
            WHERE application_name = '\(backend.schema)' AND wait_event_type = 'Lock' AND backend_xid IS NOT NULL
            """
        var session: String?
        try await Patience.eventually {
            session = try await admin.run(waiting).first?.first ?? nil
            return session != nil
        }
        let pid = try #require(session)
        proxy.strand()
        try await blocker.run("COMMIT")
        #expect(try await written.outcome == .written)
        #expect(try await admin.run("SELECT 1 FROM pg_stat_activity WHERE pid = \(pid)").isEmpty)
        #expect(try await admin.run("SELECT id FROM \"Item\"") == [["a"]])
        await store.close()
    }
}
