import TableSQL
import Tables

/// Finds the tables that the store serves, as the database has them.
struct CatalogReader: Sendable {
    /// The tables of the configuration, by name.
    let definitions: [Identifier: TableDefinition]
    /// Whether tables that clients made are served too.
    let servesClientTables: Bool

    /// Reads all tables where any changed since the catalog was filled.
    /// - Returns: whether any did.
    func refresh(_ catalog: TableCatalog, on connection: PostgresConnection) throws(PostgresFailure) -> Bool {
        let epoch = try connection.run("SELECT epoch FROM zumod_schema").integer(0, 0)
        guard epoch != catalog.epoch else { return false }
        try load(into: catalog, on: connection)
        return true
    }

    /// Reads all tables with the number of their schema, from one moment.
    func load(into catalog: TableCatalog, on connection: PostgresConnection) throws(PostgresFailure) {
        let result = try connection.run(
            """
            SELECT (SELECT epoch FROM zumod_schema), t.name, t.origin, t.soft_delete, a.attname::text, a.atttypid,
                col_description(a.attrelid, a.attnum), a.attnum
            FROM zumod_tables t
            LEFT JOIN pg_class c ON c.relname = t.relation AND c.relnamespace = current_schema()::regnamespace
                AND c.relkind IN ('r', 'p')
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT (SELECT epoch FROM zumod_schema), NULL, NULL, NULL, NULL, NULL, NULL, NULL
            ORDER BY 2 NULLS FIRST, 8
            """)
        var tables: [Table] = []
        var row = 1
        while row < result.rowCount {
            let name = result.string(row, 1)
            let origin = result.string(row, 2)
            let isSoft = result.boolean(row, 3)
            var schema = TableSchema()
            while row < result.rowCount, result.string(row, 1) == name {
                if !result.isNull(row, 4) {
                    schema.add(result.string(row, 4), type: result.bits(row, 5), comment: result.string(row, 6))
                }
                row += 1
            }
            if let table = table(name, origin, isSoft, schema) { tables.append(table) }
        }
        catalog.replace(tables, epoch: result.integer(0, 0))
    }

    private func table(_ name: String, _ origin: String, _ isSoft: Bool, _ schema: TableSchema) -> Table? {
        guard let name = Identifier(name), schema.systemColumns.count == SystemColumn.allCases.count else { return nil }
        if let definition = definitions[name] {
            return Table(name: name, columns: schema.columns, rules: definition.rules)
        }
        guard servesClientTables, origin == SchemaPreparation.Origin.client.rawValue else { return nil }
        var rules = TableRules()
        rules.softDelete = isSoft
        rules.autoIncrement = schema.hasIntegerID
        return Table(name: name, columns: schema.columns, rules: rules)
    }
}
