import OData
import PostgresMigrations
import Synchronization
import Tables

/// Prepares the database once it can be reached, and looks out for tables and columns that other servers make.
final class SchemaWatch: Sendable {

    private let pool: ReadPool
    private let quickPool: ReadPool
    private let settings: PostgresSettings
    private let catalog: TableCatalog
    private let reader: CatalogReader
    private let clock: Clock
    private let isReady = Atomic(false)
    private let failure = Mutex(TableError.unavailable(detail: "the database is not prepared yet"))
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let lastWords = Mutex<String?>(nil)

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(2)

    init(
        _ pool: ReadPool, _ quickPool: ReadPool, _ settings: PostgresSettings, catalog: TableCatalog,
        reader: CatalogReader, clock: @escaping Clock
    ) {
        self.pool = pool
        self.quickPool = quickPool
        self.settings = settings
        self.catalog = catalog
        self.reader = reader
        self.clock = clock
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
            note(error)
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
                return settings.schemaInterval
            }
            try await quickPool.run { [catalog, reader, settings] connection throws(PostgresFailure) in
                settings.server.beat(on: connection)
                _ = try reader.refresh(catalog, on: connection)
            }
            note(nil)
            return settings.schemaInterval
        } catch {
            note(error)
            defer { pause = min(pause * 2, Self.longestPause) }
            return isReady.load(ordering: .acquiring) ? settings.schemaInterval : pause
        }
    }

    /// Keeps why the database can't be used, and says so once: also that it can be used again.
    private func note(_ error: TableError?) {
        let words = error?.detail
        let isNews = lastWords.withLock { last in
            defer { last = words }
            // libpq tells of every address that was tried, and of the last moment's state of the server.
            return (last == nil) != (words == nil) || (!isReady.load(ordering: .acquiring) && last != words)
        }
        if let error { failure.withLock { $0 = error } }
        guard isNews else { return }
        settings.report(
            words.map { .warning("the database can't be used, and is tried again: \($0)") }
                ?? .notice("the database can be used"))
    }

    private func prepare(_ definitions: [TableDefinition]) async throws(TableError) {
        try await pool.run(isPatient: true) { [catalog, reader, clock, settings] connection throws(PostgresFailure) in
            try connection.checkDurability()
            try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
                try MigrationRunner(connection: connection, migrations: PostgresMigrations.all).run()
                // Writers of servers that are gone.
                _ = try connection.run("DELETE FROM zumod_writers WHERE written_at < now() - interval '7 days'")
                _ = try connection.run("DELETE FROM zumod_servers WHERE seen_at < now() - interval '7 days'")
                let preparation = SchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: clock())
                try preparation.prepare(definitions)
            }
            try reader.load(into: catalog, on: connection)
            settings.server.beat(on: connection)
        }
        note(nil)
        isReady.store(true, ordering: .releasing)
    }
}
