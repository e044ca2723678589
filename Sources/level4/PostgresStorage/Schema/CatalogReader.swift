import ByteText
import Synchronization
import TableSQL
import Tables

/// Finds the tables that the store serves, as they are in the database.
final class CatalogReader: Sendable {
    /// The tables to serve.
    struct Service {
        /// The tables of the configuration, by name.
        let definitions: [Identifier: TableDefinition]
        /// Whether tables created by clients are served too.
        let hasClientTables: Bool

        init(_ definitions: [TableDefinition], hasClientTables: Bool) {
            self.definitions = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.hasClientTables = hasClientTables
        }
    }

    private let service: Mutex<Service>
    /// Tables requested by this store's clients, which are served in any case.
    private let asked = Mutex<Set<Identifier>>([])

    init(_ definitions: [TableDefinition], servesClientTables: Bool) {
        service = Mutex(Service(definitions, hasClientTables: servesClientTables))
    }

    /// Serves other tables from the next look on.
    /// - Returns: the tables to serve before.
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

    /// Rereads all tables if any has changed since the catalog was filled: by a server, which increases the epoch, or
    /// by another program, which changes relations.
    /// - Returns: whether any has changed.
    @discardableResult
    func refresh(_ catalog: PostgresTableCatalog, on connection: PostgresConnection) throws(PostgresFailure) -> Bool {
        let marks = try connection.run(
            """
            SELECT epoch, (SELECT coalesce(sum((\(SchemaFingerprint.ofClass)) % \(FoundTables.signatures)), 0)::int8 \
                % \(FoundTables.signatures) FROM zumod_tables t JOIN pg_class c
                ON c.relname = t.relation AND c.relnamespace = \(CurrentSchema.oid)
                    AND c.relkind IN ('r', 'p')) FROM zumod_schema
            """)
        guard marks.integer(0, 0) != catalog.epoch || catalog.mayDiffer(from: marks.integer(0, 1)) else { return false }
        try load(into: catalog, on: connection)
        return true
    }

    /// The same, and also if a table has an unknown column, or may have one of another type: renaming a column doesn't
    /// change the relation.
    /// - Parameter error: the error that the known table led to.
    func refresh(
        _ catalog: PostgresTableCatalog, after error: TableError?, of table: Identifier,
        on connection: PostgresConnection
    ) throws(PostgresFailure) {
        if try refresh(catalog, on: connection) { return }
        if error?.isOfTypes == true { return try load(into: catalog, on: connection) }
        guard let column = error?.missingColumn, let name = Identifier(column) else { return }
        let found = try connection.run(
            """
            SELECT 1 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            JOIN zumod_tables t ON c.relname = t.relation AND c.relnamespace = \(CurrentSchema.oid)
            WHERE lower(t.name) = lower($1::text) AND lower(a.attname) = lower($2::text)
                AND a.attnum > 0 AND NOT a.attisdropped
            """, [.text(table.text), .text(PostgresName.physical(name.text))])
        if found.rowCount > 0 { try load(into: catalog, on: connection) }
    }

    /// Reads all tables with their schema's number, as of one moment; again if a writer has published newer ones.
    func load(into catalog: PostgresTableCatalog, on connection: PostgresConnection) throws(PostgresFailure) {
        for attempt in 1...5 {
            let mark = catalog.publications
            let found = try read(on: connection)
            // If a database was restored to an earlier state, its number is lower each time.
            if catalog.replace(found, readAfter: mark, mayBeOlder: attempt == 5) { return }
        }
        // The catalog still has the old epoch, so the next look reads the tables.
    }

    private func read(on connection: PostgresConnection) throws(PostgresFailure) -> FoundTables {
        let result = try connection.run(
            """
            SELECT (SELECT epoch FROM zumod_schema), t.name, t.origin, t.soft_delete, a.attname::text,
                \(CellType.ofColumn),
                col_description(a.attrelid, a.attnum), a.attnum, \(SchemaFingerprint.ofClass)
            FROM zumod_tables t
            LEFT JOIN pg_class c ON c.relname = t.relation AND c.relnamespace = \(CurrentSchema.oid)
                AND c.relkind IN ('r', 'p')
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT (SELECT epoch FROM zumod_schema), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            ORDER BY 2 NULLS FIRST, 8
            """)
        let service = service.withLock { $0 }
        var found = FoundTables(epoch: result.integer(0, 0))
        var row = 1
        while row < result.rowCount {
            let name = result.string(row, 1)
            let origin = result.string(row, 2)
            let isSoft = result.boolean(row, 3)
            let relation = result.isNull(row, 8) ? nil : result.integer(row, 8)
            var schema = TableSchema()
            while row < result.rowCount, result.string(row, 1).isExactly(name) {
                if !result.isNull(row, 4) {
                    schema.add(result.string(row, 4), type: result.bits(row, 5), comment: result.string(row, 6))
                }
                row += 1
            }
            found.add(table(name, origin, isSoft, service)?.found(as: schema), relation: relation)
        }
        return found
    }

    /// Returns a table to serve; nil if it isn't served.
    private func table(_ name: String, _ origin: String, _ isSoft: Bool, _ service: Service) -> Table? {
        guard let name = Identifier(name) else { return nil }
        if let definition = service.definitions[name] {
            return Table(name: name, columns: definition.columns, rules: definition.rules)
        }
        guard origin == RegisteredTable.Origin.client.rawValue,
            service.hasClientTables || asked.withLock({ $0.contains(name) })
        else { return nil }
        return Table(name: name, columns: [], rules: TableRules(softDelete: isSoft), isClients: true)
    }
}

/// The tables as they were at one moment.
struct FoundTables {
    let epoch: Int64
    private(set) var tables: [Table] = []
    private(set) var relations: [Identifier: Int64] = [:]
    /// A number derived from all relations, which `refresh` compares.
    private(set) var signature: Int64 = 0

    /// The number of possible signatures.
    static let signatures: Int64 = 2_147_483_647

    /// - Parameter relation: nil where there is none.
    mutating func add(_ table: Table?, relation: Int64?) {
        if let relation { signature = (signature + relation % Self.signatures) % Self.signatures }
        guard let table else { return }
        tables.append(table)
        relations[table.name] = relation
    }
}
