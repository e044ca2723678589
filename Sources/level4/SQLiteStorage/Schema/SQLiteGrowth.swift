import TableSQL
public import Tables

extension SQLiteTableStore: ExtensibleStore {
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
        try await writer.write { session throws(TableError) in
            let names = try session.connection.indexNames(of: table.name)
            return names.compactMap { CreateIndexStatement.columns(ofIndex: $0, of: table.name) }
        }
    }
}
