import OData
import TableSQL
import Tables

/// Makes the database's tables match their definitions. Runs inside a `SchemaTransaction`.
struct SchemaPreparation {
    let connection: PostgresConnection
    let catalog: TableCatalog
    let reader: CatalogReader
    let now: Instant

    /// Who asked for a table.
    enum Origin: String {
        case configuration, client
    }

    /// Brings the configuration's tables to their definitions, and the triggers of all others to this version's.
    func prepare(_ definitions: [TableDefinition]) throws(PostgresFailure) {
        for definition in definitions.sorted(by: { $0.name.text < $1.name.text }) {
            try prepare(definition, origin: .configuration)
        }
        let named = Set(definitions.map(\.name))
        let registered = try connection.run("SELECT name, soft_delete FROM zumod_tables ORDER BY name")
        for row in 0..<registered.rowCount {
            guard let name = Identifier(registered.string(row, 0)), !named.contains(name),
                let schema = try TableSchema(of: name, on: connection),
                schema.systemColumns.count == SystemColumn.allCases.count
            else { continue }
            try makeTriggers(of: name, softDelete: registered.boolean(row, 1))
        }
    }

    /// Makes the table, or adds what the definition gained.
    func prepare(_ definition: TableDefinition, origin: Origin) throws(PostgresFailure) {
        do throws(TableError) { try definition.check() } catch { throw .table(error) }
        var definition = definition
        let registered = try registration(of: definition.name)
        if let registered {
            // The database's spelling is the one that its triggers know.
            definition.name = registered.name
            if origin == .client {
                // Its rows are not for whoever names it: an operator took it out of the configuration.
                guard registered.origin == .client else {
                    let sentence = "the table \(definition.name) is in the database, but no longer in the configuration"
                    throw .table(.definition(sentence))
                }
                definition.rules.softDelete = registered.softDelete
            }
        }
        let schema = try TableSchema(of: definition.name, on: connection)
        let table: Table
        switch (schema, registered) {
        case (let schema?, _?): table = try extend(schema, to: definition)
        case (nil, _):
            if registered == nil { try refuseOtherSpelling(of: definition.name) }
            if origin == .client, registered == nil { try checkClientTables() }
            table = try create(definition)
        case (_?, nil):
            throw Self.foreign(definition.name.text)
        }
        try register(definition, origin: origin)
        try makeTriggers(of: table.name, softDelete: definition.rules.softDelete)
        try makeIndexes(of: table, for: definition)
        if schema == nil { try SeedRows(self).insert(definition.seed, into: table) }
        _ = try connection.run("UPDATE zumod_schema SET epoch = epoch + 1")
    }

    private static func foreign(_ table: String) -> PostgresFailure {
        .table(.definition("the database has a table \(table) that zumod did not make"))
    }

    /// PostgreSQL tells names apart by case, and clients don't: beside "Bikes" there is no table "bikes".
    private func refuseOtherSpelling(of name: Identifier) throws(PostgresFailure) {
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT relname::text FROM pg_class WHERE lower(relname::text) = lower($1::text)
                        AND relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
                    """, bindings: [.text(name.text)]))
        if result.rowCount > 0 { throw Self.foreign(result.string(0, 0)) }
    }

    private struct Registration {
        /// As it was first spelled.
        let name: Identifier
        let origin: Origin
        let softDelete: Bool
    }

    /// What is known of a table that zumod made, locked until the commit.
    private func registration(of name: Identifier) throws(PostgresFailure) -> Registration? {
        let result = try connection.run(
            SQLText(
                text:
                    """
                    SELECT name, origin, soft_delete FROM zumod_tables WHERE lower(name) = lower($1::text) FOR UPDATE
                    """,
                bindings: [.text(name.text)]))
        guard result.rowCount > 0, let name = Identifier(result.string(0, 0)),
            let origin = Origin(rawValue: result.string(0, 1))
        else { return nil }
        return Registration(name: name, origin: origin, softDelete: result.boolean(0, 2))
    }

    /// A table that is there keeps its last stamp; one that a client made becomes the configuration's.
    private func register(_ definition: TableDefinition, origin: Origin) throws(PostgresFailure) {
        _ = try connection.run(
            SQLText(
                text: """
                    INSERT INTO zumod_tables (name, relation, origin, soft_delete)
                    VALUES ($1::text, $2::text, $3::text, $4::bool)
                    ON CONFLICT (name) DO UPDATE SET origin = excluded.origin, soft_delete = excluded.soft_delete
                    """,
                bindings: [
                    .text(definition.name.text), .text(PostgresName.physical(definition.name.text)),
                    .text(origin.rawValue), .boolean(definition.rules.softDelete),
                ]))
    }

    /// Refuses one more table of a client where there are as many as there may be.
    private func checkClientTables() throws(PostgresFailure) {
        let result = try connection.run("SELECT count(*) FROM zumod_tables WHERE origin = 'client'")
        let limit = catalog.limits.tables
        guard result.integer(0, 0) < limit else { throw .table(.tooManyClientTables(limit: limit)) }
    }

    private func create(_ definition: TableDefinition) throws(PostgresFailure) -> Table {
        let table = Table(name: definition.name, columns: definition.columns, rules: definition.rules)
        _ = try connection.run(
            [CreateTableStatement(table, dialect: PostgresDialect()).sql]
                + definition.columns.flatMap { AddedColumns.comment(on: $0, of: definition.name) })
        return table
    }

    /// Adds the columns that the definition has and the database hasn't.
    private func extend(
        _ schema: TableSchema, to definition: TableDefinition
    ) throws(PostgresFailure) -> Table {
        let name = definition.name
        for column in SystemColumn.allCases where !schema.systemColumns.contains(column) {
            throw .table(.definition("table \(name): the database's table has lost its column \(column.rawValue)"))
        }
        guard schema.hasIntegerID == definition.rules.autoIncrement else {
            let kind = schema.hasIntegerID ? "whole numbers" : "text"
            throw .table(.definition("table \(name): its ids are \(kind) already, so autoIncrement can't change"))
        }
        let columns = schema.columns
        var missing: [Column] = []
        for column in definition.columns {
            if let existing = columns.first(where: { $0.name == column.name }) {
                guard existing.type == column.type else {
                    throw .table(
                        .definition(
                            """
                            table \(name): the column \(column.name) is defined as \(column.type.rawValue), but the \
                            database has it as \(existing.type.rawValue)
                            """))
                }
                continue
            }
            missing.append(column)
        }
        guard missing.isEmpty || columns.count + missing.count <= Table.maximumColumns else {
            throw .table(.tooManyColumns(limit: Table.maximumColumns))
        }
        if !missing.isEmpty { _ = try connection.run(AddedColumns.statements(missing, to: name)) }
        return Table(name: name, columns: columns + missing, rules: definition.rules)
    }

    /// Changes only what has to be: it would wait for everybody who writes to the table.
    private func makeTriggers(of table: Identifier, softDelete: Bool) throws(PostgresFailure) {
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                    WHERE c.relname = $1::text AND c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
                    """, bindings: [.text(PostgresName.physical(table.text))]))
        let existing = Set((0..<result.rowCount).map { result.string($0, 0) })
        for change in PostgresTriggers(for: table, softDelete: softDelete).changes(since: existing) {
            _ = try connection.run(change)
        }
    }

    private func makeIndexes(of table: Table, for definition: TableDefinition) throws(PostgresFailure) {
        // What incremental sync reads by.
        var indexes: [[Field]] = [[.system(.updatedAt), .system(.id)]]
        do throws(TableError) { indexes += try definition.indexFields(of: table) } catch { throw .table(error) }
        for statement in indexes.flatMap({ CreateIndexStatement.all($0, of: table.name, dialect: PostgresDialect()) }) {
            let result = try connection.run(
                SQLText(
                    text: """
                        SELECT 1 FROM pg_class
                        WHERE relname = $1::text AND relnamespace = current_schema()::regnamespace
                        """, bindings: [.text(PostgresName.physical(statement.name))]))
            if result.rowCount == 0 { _ = try connection.run(statement.sql) }
        }
    }
}
