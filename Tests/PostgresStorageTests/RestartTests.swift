import PostgresStorage
import StorageTesting
import Tables
import Testing
import WireTesting

@Suite(
    .ownThread, .serialized, .enabled(if: StoppableServer.url != nil, "no server is given: run scripts/test-postgres"))
struct `PostgreSQL restarted` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    @Test(arguments: ["fast", "immediate"])
    func `a restart under load costs no acknowledged write and repeats none`(mode: String) async throws {
        try await StoppableServer.alone { try await Self.restart($0, mode) }
    }

    private static func restart(_ server: StoppableServer, _ mode: String) async throws {
        let backend = try PostgresBackend.make(on: StoppableServer.url)
        let stores = [try await backend.open([items]), try await backend.open([items])]
        let loads = [try WriteLoad(stores[0], name: "a"), try WriteLoad(stores[1], name: "b")]
        let running = Task {
            await withTaskGroup { group in
                for load in loads { group.addTask { await load.run(callers: 8) } }
            }
        }
        for _ in 1...2 {
            try await Task.sleep(for: .milliseconds(300))
            try await server.run("restart -m \(mode)")
        }
        try await Patience.eventually { loads.allSatisfy { $0.written > 50 } }
        for load in loads { load.stop() }
        await running.value
        #expect(loads.allSatisfy { $0.written > 50 })
        for load in loads { try await load.check(isAlone: false) }
        for store in stores { try await backend.close(store) }
    }

    @Test func `a store opens while its server is away and works when it is there`() async throws {
        try await StoppableServer.alone { try await Self.start($0) }
    }

    private static func start(_ server: StoppableServer) async throws {
        let backend = try PostgresBackend.make(on: StoppableServer.url)
        try await server.run("stop -m fast")
        let store = try await backend.open([items])
        let table = try #require(store.table(named: items.name))
        for body in [
            { try await store.ping() },
            {
                _ = try await store.find(
                    .text("a"), in: table, includeDeleted: false, into: RecordedRows())
            },
            { _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows()) },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: TableError.self) { try await body() }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        try await server.run("start")
        try await backend.untilReady(store)
        let result = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        #expect(result.outcome == .written)
        try await backend.close(store)
    }
}
