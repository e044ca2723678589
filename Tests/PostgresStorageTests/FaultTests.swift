import Foundation
import OData
import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Synchronization
import Tables
import Testing
import WireTesting

@Suite(.ownThread, .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `PostgreSQL with faults` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    @Test func `terminated sessions cost no acknowledged write and repeat none`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let store = try await PostgresTableStore.open(
            url: backend.url, tables: [Self.items], servesClientTables: true, settings: backend.settings)
        try await backend.untilReady(store)
        let load = try WriteLoad(store)
        let admin = try RawSession(PostgresBackend.server!)
        let running = Task { await load.run(callers: 8) }
        for _ in 0..<40 {
            // In the midst of writes, however long a busy machine takes to connect anew.
            let before = load.written
            #expect(try await Patience.eventually { load.written >= before + 2 })
            try await admin.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(backend.schema)'")
        }
        load.stop()
        await running.value
        try await load.check()
        #expect(load.written > 50)
        await store.close()
    }

    @Test func `a call waits for a connection no longer than it may`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.readingConnections = 1
        backend.settings.patience = .milliseconds(200)
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        let blocker = try RawSession(backend.url)
        try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
        // On a busy machine it too may wait for the connection longer than it may, but not once it has it.
        let isHeld = Atomic(false)
        async let first = Patience.inTime(
            unless: { !isHeld.load(ordering: .relaxed) && PostgresBackend.isUnavailable($0) }
        ) { () throws(TableError) in
            try await store.find(.text("a"), in: table, includeDeleted: false, into: RecordedRows())
        }
        #expect(try await backend.isLocked())
        isHeld.store(true, ordering: .relaxed)
        let start = ContinuousClock.now
        let error = await #expect(throws: TableError.self) {
            _ = try await store.find(.text("a"), in: table, includeDeleted: false, into: RecordedRows())
        }
        guard case .unavailable = error else { throw PostgresBackend.NoServer() }
        // Before the first call is given up, which would free the connection: a busy machine has its time.
        #expect(ContinuousClock.now - start < .seconds(25))
        try await blocker.run("COMMIT")
        #expect(try await first == nil)
        try await backend.close(store)
    }

    @Test(arguments: [true, false])
    func `a statement ends at its timeout`(keepsSessions: Bool) async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.statementTimeout = min(Patience.time(.milliseconds(200)), .seconds(2))
        backend.settings.keepsSessions = keepsSessions
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        let blocker = try RawSession(backend.url)
        try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
        for body in [
            { _ = try await store.find(.text("a"), in: table, into: RecordedRows()) },
            { _ = try await store.list(TableQuery(limit: 1), in: table, into: RecordedRows()) },
        ] as [@Sendable () async throws -> Void] {
            await #expect(throws: TableError.timeout) { try await body() }
        }
        // A write only waits for others, so what helps is to try again.
        let error = await #expect(throws: TableError.self) {
            _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        }
        guard case .unavailable = error else { throw PostgresBackend.NoServer() }
        try await blocker.run("COMMIT")
        let row = try await Patience.inTime(unless: PostgresBackend.isUnavailable) { () throws(TableError) in
            try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        }
        #expect(row.outcome == .written)
        try await backend.close(store)
    }

    @Test func `a client that pulls between two commits loses neither`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; INSERT INTO \"Item\" (id, text) VALUES ('opened first', 'a')")
        let isDone = Atomic(false)
        async let second: Void = {
            _ = try await store.insert([], id: .text("opened second"), in: table, into: RecordedRows())
            isDone.store(true, ordering: .relaxed)
        }()
        var seen: [String] = []
        var last = Instant(milliseconds: 0)
        func pull() async throws {
            var query = TableQuery(limit: 50)
            query.filter = .binary(.greater, .column("updatedAt", at: 0), .literal(.date(last), at: 0), at: 0)
            query.order = [OrderTerm(.column("updatedAt", at: 0))]
            let rows = try await store.list(query, in: table, into: RecordedRows()).rows
            seen += rows.ids
            if let stamp = rows.stamps.last { last = try #require(Instant(stamp)) }
        }
        #expect(try await backend.isLocked())
        try await pull()
        #expect(seen.isEmpty && !isDone.load(ordering: .relaxed))
        try await raw.run("COMMIT")
        try await second
        try await pull()
        #expect(seen == ["opened first", "opened second"])
        try await backend.close(store)
    }

    @Test func `a transaction that loses a deadlock is run again`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        // Locks the row first and the table's turn second, which the triggers keep others from.
        let raw = try RawSession(backend.url)
        try await raw.run("SET deadlock_timeout = '10s'")
        var storeLost = false
        // Where the machine is so busy that the store looks for a deadlock before there is one, the other session loses.
        for _ in 0..<10 where !storeLost {
            try await raw.run("BEGIN; SELECT * FROM \"Item\" FOR UPDATE")
            async let written = store.update(
                .text("a"), set: [Property("text", .text("x"))], if: .none, in: table, into: RecordedRows())
            try await Task.sleep(for: .milliseconds(300))
            do {
                try await raw.run("UPDATE \"Item\" SET text = 'raw'; COMMIT")
                storeLost = true
            } catch let failure as DatabaseSession.Failure where failure.description.contains("deadlock detected") {
                try await raw.run("ROLLBACK")
            }
            let result = try await written
            #expect(result.outcome == .written && result.row.row["text"] == .text("x"))
        }
        #expect(storeLost)
        try await backend.close(store)
    }

    @Test func `statements are prepared anew where a column's type was changed`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: Self.items.name))
        let properties = [Property("text", .text("x"))]
        _ = try await store.insert(properties, id: .text("a"), in: table, into: RecordedRows())
        for type in ["varchar(20)", "text COLLATE \"C\""] {
            for _ in 1...4 {
                let row = try await store.find(
                    .text("a"), in: table, includeDeleted: false, into: RecordedRows())
                #expect(row?.row["text"] == .text("x"))
            }
            try await backend.run("ALTER TABLE \"Item\" ALTER COLUMN \"text\" TYPE \(type)")
            let updated = try await store.update(
                .text("a"), set: properties, if: .none, in: table, into: RecordedRows())
            #expect(updated.outcome == .written)
        }
        try await backend.close(store)
    }

    @Test func `an address that can't be one is a fault of the definition`() async throws {
        let error = await #expect(throws: TableError.self) {
            _ = try await PostgresTableStore.open(url: "postgresql://[::1/zumod", tables: [], servesClientTables: false)
        }
        guard case .definition = error else { throw PostgresBackend.NoServer() }
    }

    @Test func `calls of a closed store fail`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([])
        try await backend.close(store)
        await #expect(throws: TableError.self) { try await store.ping() }
    }
}
