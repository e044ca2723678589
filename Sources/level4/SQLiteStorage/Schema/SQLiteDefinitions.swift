import TableSQL
public import Tables

extension SQLiteTableStore: RedefinableStore, ExtensibleStore {
    /// Prepares the tables on the writer's thread, as one write among others.
    public func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError) {
        let losses = try await writer.write { session throws(TableError) in
            try Self.prepare(tables, servesClientTables: servesClientTables, in: session)
            return try session.connection.unansweredLosses()
        }
        for loss in losses { report(loss.words) }
        catalog.limits = limits
    }

    /// Extends the table on the writer's thread, as one write among others.
    public func grow(
        _ table: Table, columns: [Column], indexes: [[Identifier]]
    ) async throws(TableError) -> Table {
        try await writer.write { session throws(TableError) in
            // Another caller may have added some in the meantime.
            let current = try session.table(named: table.name)
            let definition = TableDefinition(growing: current, columns, indexes)
            return try SQLiteSchemaPreparation(session).prepare(
                definition, origin: current.isClients ? .client : .configuration)
        }
    }

    /// Returns the indexes, whose names say which columns they cover.
    public func indexes(of table: Table) async throws(TableError) -> [[Identifier]] {
        try await writer.write { session throws(TableError) in try session.connection.indexNames(of: table.name) }
            .compactMap { CreateIndexStatement.columns(ofIndex: $0, of: table.name) }
    }
}
