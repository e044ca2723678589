import OData
import TableSQL
import Tables

/// Makes the database's tables match their definitions. Runs inside a `SchemaTransaction`.
struct SchemaPreparation {
    let connection: PostgresConnection
    let catalog: TableCatalog
    let reader: CatalogReader
    let now: Instant
    /// Whether all is taken back anyway.
    var isTrial = false
    /// Functions of triggers that another program had changed or removed.
    private var lostFunctions: Set<String> = []

    init(connection: PostgresConnection, catalog: TableCatalog, reader: CatalogReader, now: Instant) {
        self.connection = connection
        self.catalog = catalog
        self.reader = reader
        self.now = now
    }

    /// Brings the configuration's tables to their definitions, and the triggers of all others to this version's.
    mutating func prepare(_ definitions: [TableDefinition]) throws(PostgresFailure) {
        lostFunctions = try TriggerFunctions.mend(on: connection)
        for definition in definitions.sorted(by: { $0.name.text < $1.name.text }) {
            try prepare(definition, origin: .configuration)
        }
        let named = Set(definitions.map(\.name))
        let registered = try connection.run("SELECT name, soft_delete FROM zumod_tables ORDER BY name")
        for row in 0..<registered.rowCount {
            guard let name = Identifier(registered.string(row, 0)), !named.contains(name),
                let schema = try TableSchema(of: name, on: connection), schema.isWhole
            else { continue }
            try makeTriggers(of: name, softDelete: registered.boolean(row, 1))
        }
    }

    /// Makes the table, or adds what the definition gained. One of the configuration that is away stays so, and the others
    /// are served; a trial refuses it.
    func prepare(_ wanted: TableDefinition, origin: TableRegistration.Origin) throws(PostgresFailure) {
        try decide { () throws(TableError) in try wanted.check() }
        let registered = try registration(of: wanted.name)
        let found = try TableSchema(of: registered?.name ?? wanted.name, on: connection)
        if registered != nil, found == nil, origin == .configuration, !isTrial { return }
        let plan = try decide { () throws(TableError) in
            try SchemaPlan(wanted, for: origin, registered: registered, found: found)
        }
        if registered == nil { try refuseOtherSpelling(of: wanted.name) }
        if plan.addsClientTable { try checkClientTables(plan) }
        if plan.makesTable {
            try free(plan.table.name)
            try create(plan.table)
        }
        if !plan.newColumns.isEmpty {
            _ = try connection.run(AddedColumns.statements(plan.newColumns, to: plan.table.name))
        }
        try change(softDeleteBy: plan)
        try register(plan.definition, origin: origin)
        try makeTriggers(
            of: plan.table.name, softDelete: plan.table.rules.softDelete, isNew: plan.makesTable)
        try makeIndexes(by: plan)
        if plan.makesTable { try SeedRows(self).insert(plan.definition.seed, into: plan.table) }
        _ = try connection.run("UPDATE zumod_schema SET epoch = epoch + 1")
    }

    /// PostgreSQL tells names apart by case, and clients don't: beside "Bikes" there is no table "bikes".
    private func refuseOtherSpelling(of name: Identifier) throws(PostgresFailure) {
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT relname::text FROM pg_class WHERE lower(relname::text) = lower($1::text)
                        AND relkind IN ('r', 'p') AND relnamespace = \(CurrentSchema.oid)
                    """, bindings: [.text(name.text)]))
        if result.rowCount > 0 { throw .table(SchemaPlan.isForeign(result.string(0, 0))) }
    }

    /// What is known of a table that zumod made, locked until the commit.
    private func registration(of name: Identifier) throws(PostgresFailure) -> TableRegistration? {
        let result = try connection.run(
            SQLText(
                text:
                    """
                    SELECT name, origin, soft_delete FROM zumod_tables WHERE lower(name) = lower($1::text) FOR UPDATE
                    """,
                bindings: [.text(name.text)]))
        guard result.rowCount > 0, let name = Identifier(result.string(0, 0)),
            let origin = TableRegistration.Origin(rawValue: result.string(0, 1))
        else { return nil }
        return TableRegistration(name: name, origin: origin, softDelete: result.boolean(0, 2))
    }

    /// A table that is there keeps its last stamp; one that a client made becomes the configuration's.
    private func register(_ definition: TableDefinition, origin: TableRegistration.Origin) throws(PostgresFailure) {
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

    /// Rows that were deleted while none stayed as tombstones are as good as purged: the fence moves past all stamps that a
    /// device can have seen.
    private func change(softDeleteBy plan: SchemaPlan) throws(PostgresFailure) {
        let name = plan.table.name
        switch plan.softDeleteChange {
        case .ends:
            let count = try connection.run(TombstoneStatement.count(in: name, dialect: PostgresDialect()))
                .integer(0, 0)
            try decide { () throws(TableError) in try plan.check(tombstones: count) }
        case .begins:
            _ = try connection.run(
                SQLText(
                    text: """
                        UPDATE zumod_tables SET last_stamp = greatest(last_stamp + 1, $1::int8),
                            purged_through = greatest(last_stamp + 1, $1::int8, purged_through)
                        WHERE name = $2::text AND last_stamp > 0
                        """, bindings: [.integer(now.milliseconds), .text(name.text)]))
        case nil: break
        }
    }

    private func checkClientTables(_ plan: SchemaPlan) throws(PostgresFailure) {
        let count = try connection.run("SELECT count(*) FROM zumod_tables WHERE origin = 'client'").integer(0, 0)
        try decide { () throws(TableError) in try plan.check(clientTables: count, within: catalog.limits) }
    }

    private func create(_ table: Table) throws(PostgresFailure) {
        _ = try connection.run(
            [CreateTableStatement(table, dialect: PostgresDialect()).sql]
                + table.columns.flatMap { AddedColumns.comment(on: $0, of: table.name) })
    }

    /// Changes only what has to be: it would wait for everybody who writes to the table.
    private func makeTriggers(
        of table: Identifier, softDelete: Bool, isNew: Bool = false
    ) throws(PostgresFailure) {
        let memory = LostTriggers(connection: connection, table: table)
        let recorded = try memory.recorded()
        let found = isNew ? [:] : try memory.found()
        let triggers = PostgresTriggers(for: table, softDelete: softDelete)
        let lost =
            isNew
            ? []
            : LostTriggers.names(
                recorded: recorded, found: found, functions: lostFunctions, essential: triggers.stamping)
        var sound: [String: String] = [:]
        for name in found.keys where !lost.contains(name) { sound[name] = recorded[name]?.statement }
        for change in triggers.changes(since: sound, Set(found.keys)) { _ = try connection.run(change) }
        try memory.record(triggers.all, since: recorded)
        guard !lost.isEmpty, try !SchemaAge(on: connection).isLater else { return }
        try memory.mend(lost, softDelete: softDelete, at: now, isTrial: isTrial)
    }

    private func makeIndexes(by plan: SchemaPlan) throws(PostgresFailure) {
        let indexes = try decide { () throws(TableError) in try plan.indexes() }
        let (table, dialect) = (plan.table.name, PostgresDialect())
        for statement in indexes.flatMap({ CreateIndexStatement.all($0, of: table, dialect: dialect) }) {
            let result = try connection.run(
                SQLText(
                    text: """
                        SELECT 1 FROM pg_class
                        WHERE relname = $1::text AND relnamespace = \(CurrentSchema.oid)
                        """, bindings: [.text(PostgresName.physical(statement.name))]))
            if result.rowCount == 0 { _ = try connection.run(statement.sql) }
        }
    }
}

/// Decides something without the database; the decision's errors are those of the call.
private func decide<Decision>(_ make: () throws(TableError) -> Decision) throws(PostgresFailure) -> Decision {
    do throws(TableError) {
        return try make()
    } catch {
        throw .table(error)
    }
}
