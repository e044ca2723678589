import PostgresStorage
import PostgresTesting
import StorageTesting
import Synchronization
import Tables
import Testing
import WireTesting

@Suite(.ownThread, .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Reads of single rows that go in one round trip` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    /// A store with one thread that reads, and rows whose text is their id.
    private func open(_ backend: PostgresBackend, rows: Int) async throws -> any TableStore {
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: "Item"))
        for number in 0..<rows where !number.isMultiple(of: 3) {
            let text = Property("text", .text("\(number)"))
            _ = try await store.insert([text], id: .text("\(number)"), in: table, into: RecordedRows())
        }
        return store
    }

    private func make(keepsSessions: Bool = true) async throws -> PostgresBackend {
        var backend = try await PostgresBackend.prepared()
        backend.settings.readingConnections = 1
        backend.settings.keepsSessions = keepsSessions
        return backend
    }

    /// Reads rows at once, of which each third isn't there.
    private func find(
        _ count: Int, in store: any TableStore, _ check: @escaping @Sendable (Int, RecordedRows?) throws -> Void
    ) async throws {
        let table = try #require(store.table(named: "Item"))
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    let row = try await store.find(
                        .text("\(number)"), in: table, includeDeleted: false, into: RecordedRows())
                    try check(number, row)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [true, false])
    func `each that waited is answered its own row or none`(keepsSessions: Bool) async throws {
        let backend = try await make(keepsSessions: keepsSessions)
        defer { backend.remove() }
        let store = try await open(backend, rows: 60)
        let blocker = try RawSession(backend.url)
        try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
        async let all: Void = find(60, in: store) { number, row in
            #expect(row?.ids == (number.isMultiple(of: 3) ? nil : ["\(number)"]))
        }
        try await Task.sleep(for: .milliseconds(100))
        try await blocker.run("COMMIT")
        try await all
        try await backend.close(store)
    }

    @Test func `a column that another server adds meanwhile is in each of them`() async throws {
        let backend = try await make()
        defer { backend.remove() }
        let (store, other) = (try await open(backend, rows: 60), try await backend.open([Self.items]))
        let table = try #require(other.table(named: "Item"))
        for name in ["one", "two", "three"] {
            _ = try await other.update(
                .text("1"), set: [Property(name, .text("x"))], if: .none, in: table, into: RecordedRows())
            try await find(60, in: store) { number, row in
                #expect(row.map { $0.names.contains(name) } != false, "\(number)")
            }
        }
        for store in [store, other] { try await backend.close(store) }
    }

    @Test(arguments: [true, false])
    func `a table that stays locked ends all of them at the time of one`(keepsSessions: Bool) async throws {
        var backend = try await make(keepsSessions: keepsSessions)
        defer { backend.remove() }
        let rows = try await open(backend, rows: 2)
        try await backend.close(rows)
        let limit = min(Patience.time(.milliseconds(500)), .seconds(3))
        backend.settings.statementTimeout = limit
        // Those behind others wait for several of them.
        backend.settings.patience = .seconds(120)
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: "Item"))
        let blocker = try RawSession(backend.url)
        try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for _ in 0..<40 {
                group.addTask {
                    await #expect(throws: TableError.timeout) {
                        _ = try await store.find(.text("1"), in: table, into: RecordedRows())
                    }
                }
            }
        }
        // Four times the limit, where one by one they took forty; a busy machine has its time.
        #expect(ContinuousClock.now - start < limit * 20)
        try await blocker.run("COMMIT")
        let found = try await Patience.inTime(unless: { $0 == .timeout }) { () throws(TableError) in
            try await store.find(.text("1"), in: table, into: RecordedRows())
        }
        #expect(found != nil)
        try await backend.close(store)
    }

    @Test func `sessions that are ended in their midst cost no answer`() async throws {
        let backend = try await make()
        defer { backend.remove() }
        let store = try await open(backend, rows: 60)
        try await backend.endSessions(10) {
            try await find(60, in: store) { number, row in
                #expect(row?.ids == (number.isMultiple(of: 3) ? nil : ["\(number)"]))
            }
        }
        try await backend.close(store)
    }
}
