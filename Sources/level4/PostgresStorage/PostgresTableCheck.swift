import TableSQL
public import Tables

extension PostgresTableStore {
    /// Says whether `open` would succeed, and changes nothing: what it does is taken back.
    ///
    /// - Returns: the tables that would be served, by name.
    /// - Throws: `definition` where the database can't be what the definitions say, `unavailable` where it is away.
    public static func check(
        url: String, tables: [TableDefinition], servesClientTables: Bool
    ) async throws(TableError) -> [Table] {
        let catalog = TableCatalog([])
        let reader = CatalogReader(tables, servesClientTables: servesClientTables)
        return try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                try connection.migrate()
                var preparation = SchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: SystemClock.now())
                preparation.isTrial = true
                for definition in tables.sorted(by: { $0.name.text < $1.name.text }) {
                    try preparation.prepare(definition, origin: .configuration)
                }
                try reader.load(into: catalog, on: connection)
                return catalog.all()
            }
        }
    }
}

/// Work on the schema beside any store, on a thread and a connection of its own.
enum SchemaTask {
    static func run<Success: Sendable>(
        _ url: String, database: Identifier? = nil, statementTimeout: Duration = PostgresSettings().statementTimeout,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let pool = try pool(url, database: database, statementTimeout: statementTimeout)
        do throws(TableError) {
            let success = try await pool.run(body)
            await pool.close()
            return success
        } catch {
            await pool.close()
            throw error
        }
    }

    /// One thread and one connection, which is made at the first use.
    /// - Parameter keepsSessions: off where each transaction makes its own settings: there may be a pooler between, and nothing
    ///   may stay behind in a session that is others' afterwards.
    static func pool(
        _ url: String, database: Identifier? = nil, statementTimeout: Duration = PostgresSettings().statementTimeout,
        patience: Duration = PostgresSettings().patience, keepsSessions: Bool = false
    ) throws(TableError) -> ReadPool {
        var settings = PostgresSettings()
        settings.keepsSessions = keepsSessions
        settings.readingConnections = 1
        settings.statementTimeout = statementTimeout
        settings.patience = patience
        // What reads a moment of the database may think between two pages.
        settings.silence = .zero
        do throws(PostgresFailure) {
            let connections = ConnectionPool(try PostgresAddress(url: url, database: database), settings, limit: 1)
            return ReadPool(
                connections, threads: 1, patience: settings.patience, limit: nil, listLimit: settings.statementTimeout,
                closesConnections: true)
        } catch {
            throw error.tableError
        }
    }
}
