import TableSQL
public import Tables
import WorkThreads

/// Tables in a PostgreSQL database, which any number of servers share.
public final class PostgresTableStore: Sendable {
    let catalog: PostgresTableCatalog
    let reader: CatalogReader
    let connections: ConnectionPool
    let pool: ReadPool
    /// The turns of scripts that write, by table.
    let scriptTurns = LongWorkGate<Identifier?>()
    let scriptPatience = Duration.seconds(60)
    /// For work that must not wait behind lists: heartbeats, and messages between servers.
    let quickPool: ReadPool
    let writers: WriterThreads
    let watch: SchemaWatcher
    let clock: Clock
    let selects = SelectCache(PostgresDialect())
    let finds = FindCache(PostgresDialect())
    let brief = SmallReadTracker()

    deinit {
        connections.close()
    }

    /// Returns one of the pools, once the database is prepared.
    func ready(_ pool: ReadPool) throws(TableError) -> ReadPool {
        try watch.check()
        return pool
    }

    private init(
        _ address: PostgresAddress, _ settings: PostgresSettings, _ definitions: [TableDefinition],
        servesClientTables: Bool, limits: ClientLimits, clock: @escaping Clock
    ) {
        self.clock = clock
        catalog = PostgresTableCatalog(
            definitions.map { Table(name: $0.name, columns: $0.columns, rules: $0.rules) }, limits: limits)
        reader = CatalogReader(definitions, servesClientTables: servesClientTables)
        var settings = settings
        settings.server = ServerNumber()
        settings.databaseClock = DatabaseClock()
        settings.commits = DurableCommits()
        connections = ConnectionPool(
            address, settings, limit: settings.readingConnections + settings.writingConnections)
        pool = ReadPool(
            connections, threads: settings.readingConnections, patience: settings.patience,
            limit: settings.statementTimeout + ReadPool.grace, listLimit: settings.statementTimeout,
            watch: settings.watch)
        quickPool = ReadPool(
            connections, threads: 1, named: "zumod-watch", for: .writing, patience: min(.seconds(2), settings.patience),
            limit: .seconds(2), listLimit: .seconds(2))
        writers = WriterThreads(connections, settings, catalog: catalog, reader: reader, clock: clock)
        watch = SchemaWatcher(pool, quickPool, settings, catalog: catalog, reader: reader, clock: clock)
    }

    /// Opens a database and makes its tables match their definitions. If the server can't be reached, the store opens
    /// anyway: its calls fail as unavailable until the server is there and the tables are prepared.
    ///
    /// - Parameters:
    ///   - url: a libpq URI or connection string; several hosts are tried in turn for one that can be written to.
    ///   - database: the database to use instead of the URL's.
    ///   - tables: the tables of the configuration. Other tables and columns stay in the database.
    ///   - servesClientTables: whether to serve tables that clients created.
    ///   - limits: what clients may add.
    ///   - clock: the clock for stamps.
    /// - Throws: `definition` if the URL is invalid, or the database can't be made to match the definitions.
    public static func open(
        url: String, database: Identifier? = nil, tables: [TableDefinition], servesClientTables: Bool,
        limits: ClientLimits = ClientLimits(), settings: PostgresSettings = PostgresSettings(),
        clock: @escaping Clock = { SystemClock.now() }
    ) async throws(TableError) -> PostgresTableStore {
        try tables.check()
        let address: PostgresAddress
        do throws(PostgresFailure) {
            address = try PostgresAddress(url: url, database: database)
        } catch {
            throw error.tableError
        }
        let store = PostgresTableStore(
            address, settings, tables, servesClientTables: servesClientTables, limits: limits, clock: clock)
        do throws(TableError) {
            try await store.watch.start(tables)
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Accepts no more calls, and returns when the waiting ones are done and the connections are closed.
    public func close() async {
        watch.stop()
        await writers.close()
        await quickPool.close()
        await pool.close()
        connections.close()
        await connections.ended()
    }
}
