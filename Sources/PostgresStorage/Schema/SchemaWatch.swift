import OData
import PostgresMigrations
import Synchronization
import Tables

/// Prepares the database once it can be reached, and looks out for tables and columns that other servers make.
final class SchemaWatch: Sendable {

    private let pool: ReadPool
    private let catalog: TableCatalog
    private let reader: CatalogReader
    private let clock: Clock
    private let interval: Duration
    private let isReady = Atomic(false)
    private let failure = Mutex(TableError.unavailable(detail: "the database is not prepared yet"))
    private let task = Mutex<Task<Void, Never>?>(nil)

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(2)

    init(
        _ pool: ReadPool, catalog: TableCatalog, reader: CatalogReader, clock: @escaping Clock, interval: Duration
    ) {
        self.pool = pool
        self.catalog = catalog
        self.reader = reader
        self.clock = clock
        self.interval = interval
    }

    deinit {
        task.withLock { $0?.cancel() }
    }

    /// Prepares the database; where it is away, goes on trying in the background.
    /// - Throws: what is wrong with the database or the definitions.
    func start(_ definitions: [TableDefinition]) async throws(TableError) {
        do throws(TableError) {
            try await prepare(definitions)
        } catch {
            guard case .unavailable = error else { throw error }
            failure.withLock { $0 = error }
        }
        let task = Task { [weak self] in
            var pause = Self.shortestPause
            while !Task.isCancelled {
                guard let next = await self?.step(definitions, &pause) else { return }
                try? await Task.sleep(for: next)
            }
        }
        self.task.withLock { $0 = task }
    }

    /// Fails until the database is prepared.
    func check() throws(TableError) {
        if isReady.load(ordering: .acquiring) { return }
        throw failure.withLock { $0 }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// Looks at the database once.
    /// - Returns: when to look again.
    private func step(_ definitions: [TableDefinition], _ pause: inout Duration) async -> Duration {
        do throws(TableError) {
            guard isReady.load(ordering: .acquiring) else {
                try await prepare(definitions)
                return interval
            }
            try await pool.run { [catalog, reader] connection throws(PostgresFailure) in
                _ = try reader.refresh(catalog, on: connection)
            }
            return interval
        } catch {
            failure.withLock { $0 = error }
            defer { pause = min(pause * 2, Self.longestPause) }
            return isReady.load(ordering: .acquiring) ? interval : pause
        }
    }

    private func prepare(_ definitions: [TableDefinition]) async throws(TableError) {
        try await pool.run { [catalog, reader, clock] connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
                try MigrationRunner(connection: connection, migrations: PostgresMigrations.all).run()
                // Writers of servers that are gone.
                _ = try connection.run("DELETE FROM zumod_writers WHERE written_at < now() - interval '7 days'")
                let preparation = SchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: clock())
                for definition in definitions.sorted(by: { $0.name.text < $1.name.text }) {
                    try preparation.prepare(definition, origin: .configuration)
                }
            }
            try reader.load(into: catalog, on: connection)
        }
        isReady.store(true, ordering: .releasing)
    }
}
