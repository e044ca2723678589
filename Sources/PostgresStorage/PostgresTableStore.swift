public import OData
import TableSQL
public import Tables

/// Tables in one PostgreSQL database, which any number of servers share.
public final class PostgresTableStore: Sendable {
    let catalog: TableCatalog
    let reader: CatalogReader
    let pool: ReadPool
    let writers: WriterThreads
    let watch: SchemaWatch
    let clock: Clock
    let selects = SelectCache(PostgresDialect())

    private init(
        _ address: PostgresAddress, _ settings: PostgresSettings, _ definitions: [TableDefinition],
        servesClientTables: Bool, clock: @escaping Clock
    ) {
        self.clock = clock
        catalog = TableCatalog(definitions.map { Table(name: $0.name, columns: $0.columns, rules: $0.rules) })
        reader = CatalogReader(definitions, servesClientTables: servesClientTables)
        pool = ReadPool(address, settings)
        writers = WriterThreads(address, settings, catalog: catalog, reader: reader, clock: clock)
        watch = SchemaWatch(pool, catalog: catalog, reader: reader, clock: clock, interval: settings.schemaInterval)
    }

    /// Opens a database and brings its tables to their definitions. Where the server is away, the store opens all the
    /// same: its calls fail as unavailable until the server is there and the tables are prepared.
    ///
    /// - Parameters:
    ///   - url: a libpq URI or connection string; several hosts are tried in turn for one that can be written to.
    ///   - tables: the tables of the configuration. Tables and columns that it doesn't name stay in the database.
    ///   - servesClientTables: whether tables that clients made are there too.
    ///   - clock: what stamps are taken from.
    /// - Throws: `definition` where the URL is none, or the database can't be what the definitions say.
    public static func open(
        url: String, tables: [TableDefinition], servesClientTables: Bool,
        settings: PostgresSettings = PostgresSettings(), clock: @escaping Clock = { SystemClock.now() }
    ) async throws(TableError) -> PostgresTableStore {
        var names: Set<Identifier> = []
        for definition in tables {
            try definition.check()
            guard names.insert(definition.name).inserted else {
                throw .definition("the table \(definition.name) is defined twice")
            }
        }
        let address: PostgresAddress
        do throws(PostgresFailure) {
            address = try PostgresAddress(url: url)
        } catch {
            throw error.tableError
        }
        let store = PostgresTableStore(
            address, settings, tables, servesClientTables: servesClientTables, clock: clock)
        do throws(TableError) {
            try await store.watch.start(tables)
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Takes no more calls, and returns when those that wait are done and the connections closed.
    public func close() async {
        watch.stop()
        await writers.close()
        await pool.close()
    }
}
