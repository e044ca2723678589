import ByteText
import Scalars
import TableSQL
import Tables

/// Prepares tables inside a `SchemaTransaction`.
struct PostgresSchemaPreparation: TablePreparation {
    let connection: PostgresConnection
    let catalog: PostgresTableCatalog
    let reader: CatalogReader
    let now: Instant
    var isTrial = false
    var limits: ClientLimits { catalog.limits }
    /// Functions of triggers that another program had changed or removed.
    private(set) var lostFunctions: Set<String> = []

    /// Makes the configuration's tables match their definitions, and the triggers of all others match this version.
    mutating func prepare(_ definitions: [TableDefinition]) throws(PostgresFailure) {
        lostFunctions = try TriggerFunctions.mend(on: connection)
        try prepareAll(definitions.sorted { $0.name.text < $1.name.text })
    }

    /// Does all of it that a start does, the server's own tables first. What the user may not change is said as that.
    mutating func migrateAndPrepare(_ definitions: [TableDefinition]) throws(PostgresFailure) {
        do throws(PostgresFailure) {
            try connection.migrate()
            try prepare(definitions)
        } catch {
            throw error.ofSchema
        }
    }

    func create(_ table: Table) throws(PostgresFailure) {
        try free(table.name)
        _ = try connection.run(
            [CreateTableStatement(table, dialect: PostgresDialect()).sql]
                + table.columns.flatMap { AddedColumns.comment(on: $0, of: table.name) })
    }

    /// Changes only what is necessary, as each change waits for all writers of the table.
    func makeTriggers(of table: Identifier, softDelete: Bool, isNew: Bool) throws(PostgresFailure) -> [String] {
        let memory = PostgresTriggerDrift(connection: connection, table: table)
        let recorded = try memory.recorded()
        let found = isNew ? [:] : try memory.found()
        let triggers = PostgresTriggers(for: table, softDelete: softDelete)
        let lost = TriggerDriftReport.lost(recorded, found: found, essential: triggers.stamping) { _, before, now in
            now.isSame(as: before.state) && !now.calls(oneOf: lostFunctions)
        }
        let sound = recorded.filter { name, _ in found[name] != nil && !lost.contains(name.text) }
        for change in triggers.changes(since: sound.mapValues(\.statement), found) { _ = try connection.run(change) }
        try memory.record(triggers.all, since: recorded)
        return lost
    }

    func renewRows(_ count: Int64, of table: Identifier, softDelete: Bool) throws(PostgresFailure) {
        let taken = try connection.run(
            """
            UPDATE zumod_tables SET last_stamp = greatest(last_stamp + $1::int8, $2::int8),
                purged_through = CASE WHEN $3::bool
                    THEN greatest(purged_through, last_stamp + 1, $2::int8 - $1::int8 + 1)
                    ELSE purged_through END
            WHERE name = $4::text RETURNING last_stamp - $1::int8 + 1
            """, [.integer(count), .integer(now.milliseconds), .boolean(softDelete), .text(table.text)])
        guard taken.rowCount > 0 else { return }
        let first = Instant(milliseconds: taken.integer(0, 0))
        _ = try connection.run(RenewRowsStatement.postgres(table, from: first))
    }

    func add(_ columns: [Column], to table: Identifier) throws(PostgresFailure) {
        _ = try connection.run(AddedColumns.statements(columns, to: table))
    }

    func passFence(of table: Identifier) throws(PostgresFailure) {
        _ = try connection.run(
            """
            UPDATE zumod_tables SET last_stamp = greatest(last_stamp + 1, $1::int8),
                purged_through = greatest(last_stamp + 1, $1::int8, purged_through)
            WHERE name = $2::text AND last_stamp > 0
            """, [.integer(now.milliseconds), .text(table.text)])
    }

    /// Checks for the index first, as creating it would wait for all writers of the table.
    func make(_ index: CreateIndexStatement) throws(PostgresFailure) {
        if try !connection.has(index.name) { _ = try connection.run(index.sql) }
    }

    func put(_ table: Table) throws(PostgresFailure) -> Table {
        if !table.isAway { _ = try connection.run(SQLText.nextEpoch) }
        return table
    }

    /// Inserts rows in the same way as any other insert, in one or two round trips.
    func insert(_ seed: [[Property]], into table: Table) throws(PostgresFailure) {
        guard !seed.isEmpty else { return }
        func failure(_ error: TableError, of row: Int) -> PostgresFailure {
            .table(SeedRow.failure(error, row: row + 1, of: table.name))
        }
        var writes: [RowWrite] = []
        for (index, row) in seed.enumerated() {
            do throws(TableError) { writes.append(try RowWrite(seed: row, into: table)) } catch {
                throw failure(error, of: index)
            }
        }
        let transaction = try WriteTransaction(
            writes, on: connection, catalog: catalog, reader: reader, now: now, mark: nil, made: [table.name: table])
        try transaction.execute()
        for (index, outcome) in try transaction.outcomes(by: connection).enumerated() {
            switch outcome {
            case .success(let written) where written.outcome == .written: continue
            case .success: throw failure(.definition("its id is taken"), of: index)
            case .failure(let error): throw failure(error, of: index)
            }
        }
    }
}
