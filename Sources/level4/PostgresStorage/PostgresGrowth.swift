import TableSQL
public import Tables

extension PostgresTableStore: ExtensibleStore {
    /// Extends the table under the schema's lock. Writes to it wait until an index is created.
    public func grow(
        _ table: Table, columns: [Column], indexes: [[Identifier]]
    ) async throws(TableError) -> Table {
        try watch.check()
        return try await pool.run { [catalog, reader, clock] connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection, isPatient: false).run { connection throws(PostgresFailure) in
                // Another caller or server may have added some in the meantime.
                let epoch = try connection.run("SELECT epoch FROM zumod_schema").integer(0, 0)
                if epoch != catalog.epoch { try reader.load(into: catalog, on: connection) }
                guard let current = catalog.table(named: table.name) else {
                    throw .table(.definition("the table \(table.name) is not served"))
                }
                try SchemaPreparation(connection: connection, catalog: catalog, reader: reader, now: clock())
                    .prepare(
                        TableDefinition(growing: current, columns, indexes),
                        origin: current.isClients ? .client : .configuration)
            }
            try reader.load(into: catalog, on: connection)
            guard let grown = catalog.table(named: table.name) else {
                throw .table(.failed(detail: "the table \(table.name) has grown but is not served"))
            }
            return grown
        }
    }

    /// Returns the indexes, whose names say which columns they cover unless they are too long for the database.
    public func indexes(of table: Table) async throws(TableError) -> [[Identifier]] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let found = try connection.run(
                """
                SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                JOIN pg_class t ON t.oid = x.indrelid
                WHERE t.relname = $1::text AND t.relnamespace = \(CurrentSchema.oid) ORDER BY 1
                """, [.text(PostgresName.physical(table.name.text))])
            return (0..<found.rowCount).compactMap {
                CreateIndexStatement.columns(ofIndex: found.string($0, 0), of: table.name)
            }
        }
    }
}
