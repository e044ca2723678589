import TableSQL
public import Tables

extension PostgresTableStore: ExtensibleStore {
    /// Extends the table under the schema's lock. Writes to it wait until an index is created.
    public func grow(
        _ table: Table, columns: [Column], indexes: [[Identifier]]
    ) async throws(TableError) -> Table {
        try await prepare(table.name, "has grown") { current throws(PostgresFailure) in
            guard let current else { throw .table(.definition("the table \(table.name) is not served")) }
            return (TableDefinition(growing: current, columns, indexes), current.isClients ? .client : .configuration)
        }
    }

    /// Prepares a table under the schema's lock, and serves it.
    /// - Parameters:
    ///   - deed: what is done, for a failure.
    ///   - definition: what becomes of the table as it is by then, which another caller or server may have made or
    ///     changed; nil where nothing has to be done.
    func prepare(
        _ name: Identifier, _ deed: String,
        as definition:
            @escaping @Sendable (Table?) throws(PostgresFailure) -> (TableDefinition, RegisteredTable.Origin)?
    ) async throws(TableError) -> Table {
        try await ready(pool).run { [catalog, reader, clock] connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection, isPatient: false).run { connection throws(PostgresFailure) in
                let epoch = try connection.run("SELECT epoch FROM zumod_schema").integer(0, 0)
                if epoch != catalog.epoch { try reader.load(into: catalog, on: connection) }
                guard let (wanted, origin) = try definition(catalog.table(named: name)) else { return }
                try PostgresSchemaPreparation(connection: connection, catalog: catalog, reader: reader, now: clock())
                    .prepare(wanted, origin: origin)
            }
            reader.serve(name)
            try reader.load(into: catalog, on: connection)
            guard let table = catalog.table(named: name) else {
                throw .table(.failed(detail: "the table \(name) \(deed) but is not served"))
            }
            return table
        }
    }

    /// Returns the indexes, whose names say which columns they cover unless they are too long for the database.
    public func indexes(of table: Table) async throws(TableError) -> [[Identifier]] {
        try await ready(pool).run { connection throws(PostgresFailure) in
            try connection.rows(
                """
                SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                JOIN pg_class t ON t.oid = x.indrelid
                WHERE t.relname = $1::text AND t.relnamespace = \(CurrentSchema.oid) ORDER BY 1
                """, [.text(PostgresName.physical(table.name.text))]
            ).compactMap { CreateIndexStatement.columns(ofIndex: $0.words(0), of: table.name) }
        }
    }
}
