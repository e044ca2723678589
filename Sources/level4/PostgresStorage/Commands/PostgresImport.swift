import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: TransferStore {
    /// Writes the rows in one transaction, on a thread of the pool. If the connection breaks, it isn't known whether
    /// they were written.
    public func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        try await ready(pool).run(isPatient: true) { [catalog, reader, clock] connection throws(PostgresFailure) in
            do throws(PostgresFailure) {
                let transaction = PostgresImport(connection: connection, now: clock())
                let (outcome, changesSchema) = try transaction.run(batch, into: catalog.current(table).table)
                if changesSchema { try reader.load(into: catalog, on: connection) }
                return outcome
            } catch {
                connection.rollback()
                // Nothing is done twice: the rows may have been written.
                if case .lost(let detail) = error { throw .table(.unavailable(detail: detail)) }
                throw error
            }
        }
    }

    /// Looks up all ids in one round trip.
    public func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int? {
        try await ready(pool).run(isPatient: true) { [catalog] connection throws(PostgresFailure) in
            try connection.stamps(of: ids, in: catalog.current(table).table).keys.min()
        }
    }
}

/// One batch of an import. It holds the lock of its table, as every write does.
private struct PostgresImport: ImportTransaction {
    let connection: PostgresConnection
    let now: Instant

    /// - Returns: the outcome, and whether the table gained columns.
    func run(_ batch: ImportBatch, into known: Table) throws(PostgresFailure) -> (ImportOutcome, Bool) {
        let lock = SQLText(
            "SELECT name FROM zumod_tables WHERE lower(name) = lower($1::text) FOR UPDATE", [.text(known.name.text)])
        let statements =
            [.begin] + connection.localSettings + connection.durableSettings + [.ownWrites, lock]
        let locked = try connection.run(statements)[statements.count - 1]
        guard locked.rowCount > 0, let name = Identifier(locked.string(0, 0)) else {
            throw .table(.failed(detail: "no table \(known.name)"))
        }
        guard let schema = try connection.schema(of: name), schema.isWhole else { throw .table(.away(name)) }
        let table = Table(name: name, columns: schema.columns, rules: known.rules)
        let outcome = try importRows(batch, into: table)
        guard case .written = outcome else {
            connection.rollback()
            return (outcome, false)
        }
        let end = try connection.run([.commit])
        guard end.last?.command == "COMMIT" else { throw .lost(detail: "the commit was not answered as one") }
        return (outcome, batch.columns.contains { table.column($0.name) == nil })
    }

    func widen(_ table: Table, by columns: [Column]) throws(PostgresFailure) -> Table {
        guard !columns.isEmpty else { return table }
        _ = try connection.run(AddedColumns.statements(columns, to: table.name) + [.nextEpoch])
        return table.adding(columns)
    }

    func takeNumbers(
        for plan: ImportPlan, of table: Identifier
    ) throws(PostgresFailure) -> (versions: [Version], stamps: [Instant]) {
        if let highest = plan.highestVersion { try raise(to: highest) }
        let (versions, stamps) = (Value.integer(Int64(plan.newVersions)), Value.integer(Int64(plan.newStamps)))
        let latest = Value.integer(plan.latestStamp?.milliseconds ?? 0)
        let taken = try connection.rows(of: [
            """
            UPDATE zumod_tables SET last_stamp = CASE WHEN \(stamps) = 0 THEN greatest(last_stamp, \(latest)) \
            ELSE greatest(last_stamp + 1, \(latest) + 1, \(.integer(now.milliseconds))) + \(stamps) - 1 END \
            WHERE name = \(.text(table.text)) RETURNING last_stamp
            """, "SELECT nextval('zumod_version') FROM generate_series(1, \(versions))",
        ])
        let end = (taken[0].first?.integer(0) ?? 0) + 1
        return (
            taken[1].map { Version(counter: $0.integer(0) ?? 0) },
            ((end - Int64(plan.newStamps))..<end).map(Instant.init(milliseconds:))
        )
    }

    /// Moves the version counter past one that is kept. The sequence is locked meanwhile: a number taken between
    /// reading it and moving it would be assigned again.
    private func raise(to highest: Version) throws(PostgresFailure) {
        guard try connection.lastVersion() ?? 0 < highest.counter else { return }
        _ = try connection.rows(of: [
            "ALTER SEQUENCE zumod_version NO CYCLE", PostgresDialect().raiseVersion(to: highest.counter),
        ])
    }

    func run(_ writes: [SQLText]) throws(PostgresFailure) {
        if !writes.isEmpty { _ = try connection.run(writes) }
    }
}
