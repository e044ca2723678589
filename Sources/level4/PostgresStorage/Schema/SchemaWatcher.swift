import Synchronization
import TableSQL
import Tables

/// Prepares the database once it can be reached, and watches for tables and columns created by other servers.
final class SchemaWatcher: Sendable {

    private let pool: ReadPool
    private let quickPool: ReadPool
    private let settings: PostgresSettings
    private let catalog: PostgresTableCatalog
    private let reader: CatalogReader
    private let clock: Clock
    private let isReady = Atomic(false)
    /// Whether the store has been opened, with or without its database.
    private let hasStarted = Atomic(false)
    private let failure = Mutex(TableError.unavailable(detail: "the database is not prepared yet"))
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let lastWords = Mutex<String?>(nil)
    private let preparing = Mutex(Preparing())

    /// The preparation of the database, which may take any time.
    private struct Preparing {
        var connection: PostgresConnection?
        var isOver = false
    }

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(2)
    /// How long the start waits for the database before it reports that.
    private static let silence = Duration.seconds(2)

    init(
        _ pool: ReadPool, _ quickPool: ReadPool, _ settings: PostgresSettings, catalog: PostgresTableCatalog,
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

    /// Prepares the database; if it is away or takes long, continues in the background.
    /// - Throws: what is wrong with the database or the definitions.
    func start(_ definitions: [TableDefinition]) async throws(TableError) {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, TableError>.self)
        let task = Task { [weak self] in
            guard await self?.begin(definitions, telling: outcome) == true else { return }
            var pause = Self.shortestPause
            while !Task.isCancelled {
                guard let next = await self?.step(definitions, &pause) else { return }
                try? await Task.sleep(for: next)
            }
        }
        self.task.withLock { $0 = task }
        let soon = Task {
            try await Task.sleep(for: Self.silence)
            guard !isReady.load(ordering: .acquiring) else { return }
            note(.unavailable(detail: waitingReason))
        }
        defer { soon.cancel() }
        let timer = Task {
            guard let patience = settings.startPatience else { return }
            try await Task.sleep(for: patience)
            if hasStarted.exchange(true, ordering: .relaxed) { return }
            note(.unavailable(detail: waitingReason))
            outcome.yield(.success(()))
        }
        defer { timer.cancel() }
        for await outcome in outcomes { return try outcome.get() }
    }

    /// Why the database is not prepared yet, as far as can be told in the meantime.
    private var waitingReason: String {
        preparing.withLock { $0.connection } == nil
            ? "it has not answered yet" : "its tables are not prepared yet; a lock that this needs may be held"
    }

    /// Prepares the database for the first time.
    /// - Parameter outcome: receives the result of opening the store, unless that has returned: it may open without its
    ///   database, but not with one that is wrong.
    /// - Returns: whether to keep watching the database.
    private func begin(
        _ definitions: [TableDefinition], telling outcome: AsyncStream<Result<Void, TableError>>.Continuation
    ) async -> Bool {
        var result = Result<Void, TableError>.success(())
        do throws(TableError) {
            try await prepare(definitions)
        } catch {
            if case .unavailable = error { note(error) } else { result = .failure(error) }
        }
        guard hasStarted.exchange(true, ordering: .relaxed) else {
            outcome.yield(result)
            if case .failure = result { return false }
            return true
        }
        if case .failure(let error) = result { note(error) }
        return true
    }

    /// Fails until the database is prepared.
    func check() throws(TableError) {
        if isReady.load(ordering: .acquiring) { return }
        throw failure.withLock { $0 }
    }

    /// Stops watching, and cuts off the preparation of the database.
    func stop() {
        task.withLock { $0?.cancel() }
        preparing.withLock { preparing in
            preparing.isOver = true
            preparing.connection?.cutOff()
        }
    }

    /// Checks the database once.
    /// - Returns: how long to wait before the next check.
    private func step(_ definitions: [TableDefinition], _ pause: inout Duration) async -> Duration {
        do throws(TableError) {
            guard isReady.load(ordering: .acquiring) else {
                try await prepare(definitions)
                return settings.schemaInterval
            }
            try await quickPool.run { [catalog, reader, settings] connection throws(PostgresFailure) in
                settings.server.beat(on: connection, telling: settings.databaseClock)
                try reader.refresh(catalog, on: connection)
            }
            note(nil)
            return settings.schemaInterval
        } catch {
            note(error)
            defer { pause = min(pause * 2, Self.longestPause) }
            return isReady.load(ordering: .acquiring) ? settings.schemaInterval : pause
        }
    }

    /// Records why the database can't be used, and reports it once; also that it can be used again.
    private func note(_ error: TableError?) {
        let words = error?.detail
        let isNews = lastWords.withLock { last in
            defer { last = words }
            // libpq's messages list every address that was tried, and the server's current state.
            return (last == nil) != (words == nil) || (!isReady.load(ordering: .acquiring) && last != words)
        }
        if let error { failure.withLock { $0 = error } }
        guard isNews else { return }
        settings.report(
            words.map { .warning("the database can't be used, and is tried again: \($0)") }
                ?? .notice("the database can be used"))
    }

    /// Makes the tables match other definitions and serves these, or changes nothing.
    func define(_ definitions: [TableDefinition], hasClientTables: Bool) async throws(TableError) {
        try check()
        try await pool.run(isPatient: true) { [self] connection throws(PostgresFailure) in
            try cuttingOff(connection) { () throws(PostgresFailure) in
                try change(to: definitions, on: connection)
                catalog.rememberAll()
                let before = reader.replace(with: CatalogReader.Service(definitions, hasClientTables: hasClientTables))
                do throws(PostgresFailure) {
                    try reader.load(into: catalog, on: connection)
                } catch {
                    _ = reader.replace(with: before)
                    throw error
                }
            }
        }
    }

    /// Runs work that may take long on a connection that is cut off when the store closes.
    private func cuttingOff(
        _ connection: PostgresConnection, _ body: () throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) {
        let isOver = preparing.withLock { preparing in
            preparing.connection = connection
            return preparing.isOver
        }
        defer { preparing.withLock { $0.connection = nil } }
        if isOver { throw .table(.closed) }
        try body()
    }

    private func prepare(_ definitions: [TableDefinition]) async throws(TableError) {
        try await pool.run(isPatient: true) { [self] connection throws(PostgresFailure) in
            try cuttingOff(connection) { () throws(PostgresFailure) in try prepare(definitions, on: connection) }
        }
        note(nil)
        isReady.store(true, ordering: .releasing)
    }

    private func prepare(
        _ definitions: [TableDefinition], on connection: PostgresConnection
    ) throws(PostgresFailure) {
        try connection.checkDurability()
        try change(to: definitions, migrates: true, on: connection)
        try reader.load(into: catalog, on: connection)
        for table in catalog.all() where table.isAway {
            settings.report(.warning(TableError.away(table.name).detail))
        }
        settings.server.beat(on: connection, telling: settings.databaseClock)
    }

    /// Makes tables match definitions, and the server's own tables match this version if necessary.
    private func change(
        to definitions: [TableDefinition], migrates: Bool = false, on connection: PostgresConnection
    ) throws(PostgresFailure) {
        let losses = try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
            var preparation = PostgresSchemaPreparation(
                connection: connection, catalog: catalog, reader: reader, now: clock())
            if migrates {
                try preparation.migrateAndPrepare(definitions)
            } else {
                try preparation.prepare(definitions)
            }
            return try connection.unansweredLosses()
        }
        for loss in losses { settings.report(.warning(loss.words)) }
    }
}
