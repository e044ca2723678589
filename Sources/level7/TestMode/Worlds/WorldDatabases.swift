import PostgresStorage
import SQLiteStorage
import ServerApp
import ServerConfiguration
import StoreMetrics
import Tables

/// Where the rows of worlds are kept: in memory, or in databases of a PostgreSQL server that are made for the tests.
struct WorldDatabases: Sendable {
    /// A database as it was at one moment, from which worlds begin.
    enum State: Sendable {
        case sqlite(SQLiteImage)
        /// Nobody is connected to it, so that it can be copied.
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

    /// Made with each other's bits, so that links and ids of rows without one are the same in each run.
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

    /// What the names of the databases on the server begin with; nil where all are in memory.
    var serverPrefix: String? { copies?.ownPrefix }

    /// Gives each seeded row without an id one that is the same in each run.
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

    /// Makes the tables and their first rows.
    /// - Parameter clock: what the rows' stamps are taken from.
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

    /// Makes a database that begins as a state.
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

    /// Has copies of a state ready before they are requested, if they take time.
    func keepSpares(of state: State) {
        if case .postgres(let name) = state { spares?.favour(name) }
    }

    private func connect(
        to name: Identifier, _ watch: StoreInstrumentation, clock: @escaping Clock
    ) async throws(TableError) -> Open {
        guard case .postgres(let url) = configuration.database else { throw .failed(detail: "no server's URL") }
        let store = try await store(at: url, name, watch, clock: clock)
        do throws(TableError) {
            // A store opens also where its server is away.
            try await store.ping()
        } catch {
            await store.close()
            await drop(name)
            throw error
        }
        let database = Database(store) { await store.close() }
        return Open(database: database, memory: nil, name: name)
    }

    /// Few connections each, as worlds are many.
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

    /// Saves what an open database contains, while no request is in progress.
    /// - Returns: the result, and the database reopened if that was necessary.
    func save(
        _ open: Open, _ watch: StoreInstrumentation, clock: @escaping Clock
    ) async throws(TableError) -> (state: Result<State, TableError>, open: Open?) {
        if let memory = open.memory { return (.success(.sqlite(try await memory.image())), nil) }
        guard let copies, let name = open.name else { throw .failed(detail: "no database to keep") }
        // A database is copied while nobody is connected to it.
        await open.database.close()
        let state: Result<State, TableError>
        do throws(TableError) {
            state = .success(.postgres(try await copies.make(like: name)))
        } catch {
            state = .failure(error)
        }
        return (state, try await connect(to: name, watch, clock: clock))
    }

    /// Ends a database with all that it holds.
    func end(_ open: Open) async {
        await open.database.close()
        if let name = open.name { await drop(name) }
    }

    /// Lets go of a state.
    func discard(_ state: State) async {
        guard case .postgres(let name) = state else { return }
        await spares?.forget(name)
        await drop(name)
    }

    /// What can't be dropped now goes when the next server for tests starts.
    private func drop(_ name: Identifier) async {
        try? await copies?.drop(name)
    }

    /// Lets go of the server, when all worlds are ended.
    func close() async {
        await spares?.close()
        await copies?.close()
    }
}
