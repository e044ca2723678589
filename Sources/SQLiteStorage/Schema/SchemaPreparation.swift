import TableSQL
import Tables

/// Makes the database's tables match their definitions. Runs inside an open batch of the session.
struct SchemaPreparation {
    let session: WriteSession
    private var connection: SQLiteConnection { session.connection }

    /// Who asked for a table.
    enum Origin: String {
        case configuration, client
    }

    init(_ session: WriteSession) {
        self.session = session
    }

    /// Brings the triggers of tables that the configuration doesn't name to this version's.
    func makeTriggers(besides names: Set<Identifier>) throws(TableError) {
        var found: [(name: Identifier, softDelete: Bool)] = []
        try connection.query("SELECT name, soft_delete FROM zumod_tables") { row in
            guard let name = Identifier(row.string(at: 0)), !names.contains(name) else { return }
            found.append((name, row.integer(at: 1) != 0))
        }
        for (name, softDelete) in found {
            guard let schema = try TableSchema(of: name, in: connection),
                schema.systemColumns.count == SystemColumn.allCases.count
            else { continue }
            try makeTriggers(of: name, softDelete: softDelete)
        }
    }

    /// Makes the table, or adds what the definition gained, and puts it among the session's tables.
    func prepare(_ definition: TableDefinition, origin: Origin) throws(TableError) -> Table {
        try definition.check()
        let registered = try registration(of: definition.name)
        var definition = definition
        if origin == .client, let registered {
            // Its rows are not for whoever names it: an operator took it out of the configuration.
            guard registered.origin == .client else {
                throw .definition("the table \(definition.name) is in the database, but no longer in the configuration")
            }
            definition.rules.softDelete = registered.softDelete
        }
        let schema = try TableSchema(of: definition.name, in: connection)
        let table: Table
        switch (schema, registered) {
        case (nil, _):
            if origin == .client, registered == nil { try checkClientTables() }
            table = try create(definition, isClients: origin == .client)
        case (let schema?, _?): table = try extend(schema, to: definition, isClients: origin == .client)
        case (_?, nil): throw .definition("the database has a table \(definition.name) that zumod did not make")
        }
        try register(definition, origin: origin)
        try makeTriggers(of: table.name, softDelete: definition.rules.softDelete)
        try makeIndexes(of: table, for: definition)
        session.put(table)
        if schema == nil { try SeedRows(session).insert(definition.seed, into: table.name) }
        return try session.table(named: table.name)
    }

    /// The tables that clients made in earlier runs, but for those that the definitions name.
    func clientTables(besides names: Set<Identifier>) throws(TableError) -> [Table] {
        var found: [(name: Identifier, softDelete: Bool)] = []
        try connection.query("SELECT name, soft_delete FROM zumod_tables WHERE origin = 'client'") { row in
            guard let name = Identifier(row.string(at: 0)), !names.contains(name) else { return }
            found.append((name, row.integer(at: 1) != 0))
        }
        var tables: [Table] = []
        for (name, softDelete) in found {
            guard let schema = try TableSchema(of: name, in: connection) else { continue }
            var rules = TableRules()
            rules.softDelete = softDelete
            rules.autoIncrement = schema.hasIntegerID
            tables.append(Table(name: name, columns: schema.columns, rules: rules, isClients: true))
        }
        return tables
    }

    private func registration(
        of name: Identifier
    ) throws(TableError) -> (origin: Origin, softDelete: Bool)? {
        var found: (Origin, Bool)?
        try connection.query("SELECT origin, soft_delete FROM zumod_tables WHERE name = ?1", [.text(name.text)]) {
            row in
            found = (Origin(rawValue: row.string(at: 0)) ?? .configuration, row.integer(at: 1) != 0)
        }
        return found
    }

    /// A table that is there keeps its last stamp; one that a client made becomes the configuration's.
    private func register(_ definition: TableDefinition, origin: Origin) throws(TableError) {
        try connection.run(
            """
            INSERT INTO zumod_tables (name, origin, soft_delete) VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET origin = excluded.origin, soft_delete = excluded.soft_delete
            """,
            [.text(definition.name.text), .text(origin.rawValue), .boolean(definition.rules.softDelete)])
    }

    /// Refuses one more table of a client where there are as many as there may be.
    private func checkClientTables() throws(TableError) {
        var count: Int64 = 0
        try connection.query("SELECT count(*) FROM zumod_tables WHERE origin = 'client'") { count = $0.integer(at: 0) }
        guard count < session.limits.tables else { throw .tooManyClientTables(limit: session.limits.tables) }
    }

    private func create(_ definition: TableDefinition, isClients: Bool) throws(TableError) -> Table {
        let table = Table(
            name: definition.name, columns: definition.columns, rules: definition.rules, isClients: isClients)
        try connection.run(CreateTableStatement(table, dialect: session.dialect).sql.text)
        return table
    }

    /// Adds the columns that the definition has and the database hasn't.
    private func extend(
        _ schema: TableSchema, to definition: TableDefinition, isClients: Bool
    ) throws(TableError) -> Table {
        let name = definition.name
        for column in SystemColumn.allCases where !schema.systemColumns.contains(column) {
            throw .definition("table \(name): the database's table has lost its column \(column.rawValue)")
        }
        guard schema.hasIntegerID == definition.rules.autoIncrement else {
            let kind = schema.hasIntegerID ? "whole numbers" : "text"
            throw .definition("table \(name): its ids are \(kind) already, so autoIncrement can't change")
        }
        let columns = schema.columns
        var missing: [Column] = []
        for column in definition.columns {
            if let existing = columns.first(where: { $0.name == column.name }) {
                guard existing.type == column.type else {
                    throw .definition(
                        """
                        table \(name): the column \(column.name) is defined as \(column.type.rawValue), but the \
                        database has it as \(existing.type.rawValue)
                        """)
                }
                continue
            }
            missing.append(column)
        }
        guard missing.isEmpty || columns.count + missing.count <= Table.maximumColumns else {
            throw .tooManyColumns(limit: Table.maximumColumns)
        }
        try connection.addColumns(missing, to: name)
        return Table(name: name, columns: columns + missing, rules: definition.rules, isClients: isClients)
    }

    private func makeTriggers(of table: Identifier, softDelete: Bool) throws(TableError) {
        for (name, text) in SQLiteTriggers(for: table, softDelete: softDelete).all {
            var existing: String?
            try connection.query("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?1", [.text(name)]) {
                existing = $0.string(at: 0)
            }
            if existing == text { continue }
            try connection.run("DROP TRIGGER IF EXISTS \"\(name)\"")
            if let text { try connection.run(text) }
        }
    }

    private func makeIndexes(of table: Table, for definition: TableDefinition) throws(TableError) {
        // What incremental sync reads by.
        let stamps: [Field] = [.system(.updatedAt), .system(.id)]
        for fields in try [stamps] + definition.indexFields(of: table) {
            for index in CreateIndexStatement.all(fields, of: table.name, dialect: session.dialect) {
                try connection.run(index.sql.text)
            }
        }
    }
}
