import TableSQL
public import Tables

extension PostgresTableStore {
    /// Checks whether `open` would succeed. Nothing is changed: the changes are rolled back.
    ///
    /// - Returns: the tables that would be served, by name.
    /// - Throws: `definition` if the database can't match the definitions, `unavailable` if it is away.
    public static func check(
        url: String, tables: [TableDefinition], servesClientTables: Bool
    ) async throws(TableError) -> [Table] {
        let catalog = PostgresTableCatalog([])
        let reader = CatalogReader(tables, servesClientTables: servesClientTables)
        return try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                var preparation = PostgresSchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: SystemClock.now(), isTrial: true)
                try preparation.migrateAndPrepare(tables)
                try reader.load(into: catalog, on: connection)
                return catalog.all()
            }
        }
    }
}

/// Work on the schema outside any store, with its own thread and connection.
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

    /// Creates a pool with one thread and one connection, which is made on first use.
    /// - Parameter keepsSessions: off to set everything in each transaction, so that with a pooler nothing is left
    ///   behind in sessions that others use later.
    static func pool(
        _ url: String, database: Identifier? = nil, statementTimeout: Duration = PostgresSettings().statementTimeout,
        patience: Duration = PostgresSettings().patience, keepsSessions: Bool = false
    ) throws(TableError) -> ReadPool {
        var settings = PostgresSettings()
        settings.keepsSessions = keepsSessions
        settings.readingConnections = 1
        settings.statementTimeout = statementTimeout
        settings.patience = patience
        // A reader of a snapshot may pause between two pages.
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
