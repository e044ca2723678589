import Scalars
import Synchronization
import Tables
import Testing

/// What a case works with: a backend, a clock that it sets, and short forms of the store's calls.
final class Bench: Sendable {
    let clock = SettableClock()
    private let backend: any StorageBackend
    private let opened = Mutex<[any TableStore]>([])

    init(_ backend: any StorageBackend) {
        self.backend = backend
    }

    /// Opens the database, after closing the store that had it so far.
    func open(_ tables: [TableDefinition], servesClientTables: Bool = true) async throws -> any TableStore {
        try await closeAll()
        return try await openBeside(tables, servesClientTables: servesClientTables)
    }

    /// Opens the database once more, as a second server would.
    func openBeside(_ tables: [TableDefinition], servesClientTables: Bool = true) async throws -> any TableStore {
        let clock = clock
        let store = try await backend.open(tables, servesClientTables: servesClientTables) { clock.now }
        opened.withLock { $0.append(store) }
        return store
    }

    /// Opens the database with one table and answers both.
    func open(_ definition: TableDefinition) async throws -> (any TableStore, Table) {
        let store = try await open([definition])
        return (store, try #require(store.table(named: definition.name)))
    }

    func run(_ sql: String) async throws {
        try await backend.run(sql)
    }

    func runUnseen(_ sql: String) async throws {
        try await backend.runUnseen(sql)
    }

    func finish() async throws {
        try await closeAll()
        backend.remove()
    }

    func closeAll() async throws {
        let stores = opened.withLock { stores in
            defer { stores = [] }
            return stores
        }
        for store in stores { try await backend.close(store) }
    }
}

/// A clock that stands still until it is set.
final class SettableClock: Sendable {
    private let instant = Mutex(Instant(milliseconds: 1_800_000_000_000))

    var now: Instant { instant.withLock { $0 } }

    func move(byMilliseconds milliseconds: Int64) {
        instant.withLock { $0 = Instant(milliseconds: $0.milliseconds + milliseconds) }
    }
}
