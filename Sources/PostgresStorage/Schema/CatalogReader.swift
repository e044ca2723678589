import ByteText
import Synchronization
import TableSQL
import Tables

/// Finds the tables that the store serves, as the database has them.
final class CatalogReader: Sendable {
    /// What is to be served.
    struct Service {
        /// The tables of the configuration, by name.
        let definitions: [Identifier: TableDefinition]
        /// Whether tables that clients made are served too.
        let hasClientTables: Bool

        init(_ definitions: [TableDefinition], hasClientTables: Bool) {
            self.definitions = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.hasClientTables = hasClientTables
        }
    }

    private let service: Mutex<Service>
    /// Tables that this store's clients asked for, which are served in any case.
    private let asked = Mutex<Set<Identifier>>([])

    init(_ definitions: [TableDefinition], servesClientTables: Bool) {
        service = Mutex(Service(definitions, hasClientTables: servesClientTables))
    }

    /// Finds other tables from the next look on.
    /// - Returns: what was to be served before.
    func replace(with service: Service) -> Service {
        asked.withLock { $0 = [] }
        return self.service.withLock { current in
            defer { current = service }
            return current
        }
    }

    /// Serves a client's table from the next look on.
    func serve(_ name: Identifier) {
        asked.withLock { _ = $0.insert(name) }
    }

    /// Reads all tables where any changed since the catalog was filled: by a server, which moves the epoch, or by
    /// another program, which adds to the number of columns.
    /// - Returns: whether any did.
    func refresh(_ catalog: TableCatalog, on connection: PostgresConnection) throws(PostgresFailure) -> Bool {
        let marks = try connection.run(
            """
            SELECT epoch, (SELECT coalesce(sum(c.relnatts), 0)::int8 FROM zumod_tables t JOIN pg_class c
                ON c.relname = t.relation AND c.relnamespace = \(CurrentSchema.oid)) FROM zumod_schema
            """)
        guard marks.integer(0, 0) != catalog.epoch || catalog.noteColumns(marks.integer(0, 1)) else { return false }
        try load(into: catalog, on: connection)
        return true
    }

    /// Reads all tables with the number of their schema, from one moment; again where a writer was quicker.
    func load(into catalog: TableCatalog, on connection: PostgresConnection) throws(PostgresFailure) {
        for attempt in 1...5 {
            let mark = catalog.publications
            let (tables, epoch) = try read(on: connection)
            // A database that was put back to an earlier state has an earlier number each time.
            if catalog.replace(tables, epoch: epoch, readAfter: mark, mayBeOlder: attempt == 5) { return }
        }
        // The catalog's epoch is still the old one, so that the next look reads them.
    }

    private func read(on connection: PostgresConnection) throws(PostgresFailure) -> ([Table], epoch: Int64) {
        let result = try connection.run(
            """
            SELECT (SELECT epoch FROM zumod_schema), t.name, t.origin, t.soft_delete, a.attname::text,
                \(CellType.ofColumn),
                col_description(a.attrelid, a.attnum), a.attnum
            FROM zumod_tables t
            LEFT JOIN pg_class c ON c.relname = t.relation AND c.relnamespace = \(CurrentSchema.oid)
                AND c.relkind IN ('r', 'p')
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT (SELECT epoch FROM zumod_schema), NULL, NULL, NULL, NULL, NULL, NULL, NULL
            ORDER BY 2 NULLS FIRST, 8
            """)
        let service = service.withLock { $0 }
        var tables: [Table] = []
        var row = 1
        while row < result.rowCount {
            let name = result.string(row, 1)
            let origin = result.string(row, 2)
            let isSoft = result.boolean(row, 3)
            var schema = TableSchema()
            while row < result.rowCount, result.string(row, 1).isExactly(name) {
                if !result.isNull(row, 4) {
                    schema.add(result.string(row, 4), type: result.bits(row, 5), comment: result.string(row, 6))
                }
                row += 1
            }
            if let table = table(name, origin, isSoft, schema, service) { tables.append(table) }
        }
        return (tables, result.integer(0, 0))
    }

    private func table(
        _ name: String, _ origin: String, _ isSoft: Bool, _ schema: TableSchema, _ service: Service
    ) -> Table? {
        guard let name = Identifier(name), schema.isWhole else { return nil }
        if let definition = service.definitions[name] {
            return Table(name: name, columns: schema.columns, rules: definition.rules)
        }
        guard origin == TableRegistration.Origin.client.rawValue,
            service.hasClientTables || asked.withLock({ $0.contains(name) })
        else { return nil }
        return Table(name: name, columns: schema.columns, rules: schema.rules(softDelete: isSoft), isClients: true)
    }
}
