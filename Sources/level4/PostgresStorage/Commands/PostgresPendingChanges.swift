import TableSQL
public import Tables

extension PostgresTableStore {
    /// Returns what `open` would do to a database's schema. Nothing is changed: the changes are rolled back.
    ///
    /// - Returns: a line for each change; empty if the schema is up to date.
    /// - Throws: `definition` if the database can't match the definitions, `unavailable` if it is away.
    public static func pendingChanges(
        url: String, tables: [TableDefinition]
    ) async throws(TableError) -> [String] {
        let catalog = PostgresTableCatalog([])
        let reader = CatalogReader(tables, servesClientTables: false)
        return try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                let before = try listing(of: connection)
                var preparation = PostgresSchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: SystemClock.now(), isTrial: true)
                try preparation.migrateAndPrepare(tables)
                return try listing(of: connection).changes(since: before)
            }
        }
    }

    private static func listing(of connection: PostgresConnection) throws(PostgresFailure) -> SchemaListing {
        var listing = SchemaListing()
        let here = CurrentSchema.oid
        let rows = try connection.rows(
            """
            SELECT CASE c.relkind WHEN 'S' THEN 'sequence ' WHEN 'i' THEN 'index ' ELSE 'table ' END || c.relname,
                CASE c.relkind WHEN 'i' THEN pg_get_indexdef(c.oid) ELSE '' END
            FROM pg_class c WHERE c.relnamespace = \(here) AND c.relkind IN ('r', 'p', 'S', 'i')
            UNION ALL
            SELECT 'column ' || c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = \(here) AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT 'trigger ' || t.tgname || ' of table ' || c.relname, pg_get_triggerdef(t.oid)
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            WHERE c.relnamespace = \(here) AND NOT t.tgisinternal
            UNION ALL
            SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(oid) || ')', md5(prosrc)
            FROM pg_proc WHERE pronamespace = \(here)
            UNION ALL
            SELECT 'type ' || typname, '' FROM pg_type WHERE typnamespace = \(here) AND typtype = 'd'
            """)
        for row in rows { listing.add(row.words(0), row.words(1)) }
        try connection.list(into: &listing)
        return listing
    }
}
