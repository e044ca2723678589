import PostgresStorage
import SQLiteStorage
import ServerApp
import ServerConfiguration
import StoreMetrics
import Tables

/// Where the rows of worlds live: in memory, or in databases created for tests on a PostgreSQL server.
struct WorldDatabases: Sendable {
    /// A saved state of a database, from which worlds start.
    enum State: Sendable {
        case sqlite(SQLiteImage)
        /// Nothing is connected to it, so that it can be copied.
        case postgres(Identifier)
    }

    /// A database that a world has open.
    struct Open: Sendable {
        let database: Database
        /// Its store, if it is in memory.
        fileprivate let memory: SQLiteTableStore?
        /// Its name, if it is on a server.
        fileprivate let name: Identifier?
    }

    private let configuration: Configuration
    /// nil for databases in memory.
    private let copies: PostgresCopies?
    private let spares: SpareDatabases?

    /// The seed of the first rows' ids and of the links' secret, so that they are the same in each run.
    private static let seed: UInt64 = 0x7A75_6D6F_6400_0001

    init(_ configuration: Configuration) async throws(TableError) {
        var configuration = configuration
        configuration.tables = configuration.tables.map(Self.numbered)
        self.configuration = configuration
        if case .postgres(let url) = configuration.database {
            let copies = try await PostgresCopies.open(url: url)
            self.copies = copies
            spares = SpareDatabases(copies)
        } else {
            (copies, spares) = (nil, nil)
        }
    }

    /// The prefix of the names of databases on the server; nil if they are in memory.
    var serverPrefix: String? { copies?.ownPrefix }

    /// Gives each seed row without an id one that is the same in each run.
    private static func numbered(_ definition: TableDefinition) -> TableDefinition {
        guard !definition.rules.autoIncrement else { return definition }
        var definition = definition
        let bits = SeededBits(seed: definition.name.text.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        definition.seed = definition.seed.map { row in
            let hasID = row.contains { $0.name.lowercased() == SystemColumn.id.rawValue && $0.value != .null }
            return hasID ? row : row + [Property("id", .text(RandomID.make(bits.next(), bits.next())))]
        }
        return definition
    }

    /// Creates the tables and their first rows.
    /// - Parameter clock: the clock for the rows' stamps.
    func seed(by clock: @escaping Clock) async throws(TableError) -> State {
        let bits = SeededBits(seed: Self.seed)
        let secret = (0..<4).flatMap { _ in Self.bytes(bits.next()) }
        guard let copies, case .postgres(let url) = configuration.database else {
            let store = try SQLiteTableStore.open(
                .memory, tables: configuration.tables, servesClientTables: configuration.autoCreateTables,
                limits: configuration.limits.clients, clock: clock)
            let image = try await store.image(continuationSecret: secret)
            await store.close()
            return .sqlite(image)
        }
        let name = try await copies.make()
        try await store(at: url, name, StoreInstrumentation(), clock: clock).close()
        try await copies.setContinuationSecret(secret, in: name)
        return .postgres(name)
    }

    private static func bytes(_ bits: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    }

    /// Creates a database with a given state.
    func open(_ state: State, _ watch: StoreInstrumentation, clock: @escaping Clock) async throws(TableError) -> Open {
        switch state {
        case .sqlite(let image):
            let store = try SQLiteTableStore.open(image, watch: watch, clock: clock)
            let database = Database(store, beat: { await store.beat() }) { await store.close() }
            return Open(database: database, memory: store, name: nil)
        case .postgres(let template):
            guard let spares else { throw .failed(detail: "no server to copy a database on") }
            return try await connect(to: try await spares.take(of: template), watch, clock: clock)
        }
    }

    /// Prepares copies of a state in advance where copying takes time.
    func keepSpares(of state: State) {
        if case .postgres(let name) = state { spares?.favour(name) }
    }

    private func connect(
        to name: Identifier, _ watch: StoreInstrumentation, clock: @escaping Clock
    ) async throws(TableError) -> Open {
        guard case .postgres(let url) = configuration.database else { throw .failed(detail: "no server's URL") }
        let store = try await store(at: url, name, watch, clock: clock)
        do throws(TableError) {
            // A store can be opened even if its server is down.
            try await store.ping()
        } catch {
            await store.close()
            await drop(name)
            throw error
        }
        let database = Database(store) { await store.close() }
        return Open(database: database, memory: nil, name: name)
    }

    /// With few connections each, as there may be many worlds.
    private func store(
        at url: String, _ name: Identifier, _ watch: StoreInstrumentation, clock: @escaping Clock
    ) async throws(TableError) -> PostgresTableStore {
        var settings = PostgresSettings()
        settings.readingConnections = min(configuration.databaseConnections, 2)
        settings.writingConnections = 1
        settings.keepsSessions = !configuration.hasTransactionPooler
        settings.schemaInterval = .seconds(30)
        settings.watch = watch
        return try await PostgresTableStore.open(
            url: url, database: name, tables: configuration.tables,
            servesClientTables: configuration.autoCreateTables, limits: configuration.limits.clients,
            settings: settings, clock: clock)
    }

    /// Saves the contents of an open database, while no request is in progress.
    /// - Returns: the result, and the database if it had to be reopened.
    func save(
        _ open: Open, _ watch: StoreInstrumentation, clock: @escaping Clock
    ) async throws(TableError) -> (state: Result<State, TableError>, open: Open?) {
        if let memory = open.memory { return (.success(.sqlite(try await memory.image())), nil) }
        guard let copies, let name = open.name else { throw .failed(detail: "no database to keep") }
        // A database can be copied only while nothing is connected to it.
        await open.database.close()
        let state: Result<State, TableError>
        do throws(TableError) {
            state = .success(.postgres(try await copies.make(like: name)))
        } catch {
            state = .failure(error)
        }
        return (state, try await connect(to: name, watch, clock: clock))
    }

    /// Closes a database and deletes it.
    func end(_ open: Open) async {
        await open.database.close()
        if let name = open.name { await drop(name) }
    }

    /// Deletes a saved state.
    func discard(_ state: State) async {
        guard case .postgres(let name) = state else { return }
        await spares?.forget(name)
        await drop(name)
    }

    /// What can't be dropped now is dropped when the next test server starts.
    private func drop(_ name: Identifier) async {
        try? await copies?.drop(name)
    }

    /// Disconnects from the server, after all worlds have ended.
    func close() async {
        await spares?.close()
        await copies?.close()
    }
}
