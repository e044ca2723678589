import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: TransferStore {
    /// Writes the rows in one transaction, on a thread of the pool. If the connection breaks, it isn't known whether
    /// they were written.
    public func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        try watch.check()
        guard batch.rows.allSatisfy({ $0.id.fits(table) }) else {
            throw .failed(detail: "rows for \(table.name) with ids of another kind")
        }
        return try await pool.run(isPatient: true) { [catalog, reader, clock] connection throws(PostgresFailure) in
            do throws(PostgresFailure) {
                let transaction = ImportTransaction(connection: connection, now: clock())
                let current = catalog.current(table).table
                let (outcome, changesSchema) = try transaction.run(batch, into: current)
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
        try watch.check()
        return try await pool.run(isPatient: true) { [catalog] connection throws(PostgresFailure) in
            let current = catalog.current(table).table
            return try connection.stamps(of: ids, in: current).keys.min()
        }
    }
}

/// One batch of an import. It holds the lock of its table, as every write does.
private struct ImportTransaction {
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
        var table = Table(name: name, columns: schema.columns, rules: known.rules)
        let plan = try ImportPlan(batch, for: table, on: connection)
        if let index = plan.takenIndex {
            connection.rollback()
            return (.taken(index: index), false)
        }
        if !plan.newColumns.isEmpty {
            _ = try connection.run(AddedColumns.statements(plan.newColumns, to: name) + [.nextEpoch])
            table = table.adding(plan.newColumns)
        }
        try write(plan, of: batch, into: table)
        let end = try connection.run([.commit])
        guard end.last?.command == "COMMIT" else { throw .lost(detail: "the commit was not answered as one") }
        return (.written(plan.counts), !plan.newColumns.isEmpty)
    }

    private func write(_ plan: ImportPlan, of batch: ImportBatch, into table: Table) throws(PostgresFailure) {
        // Before a new number is assigned, so that all new ones are higher than those that are kept.
        if let highest = plan.highestVersion { try raise(to: highest) }
        let newStamps = Int64(plan.steps.count { $0.row.updatedAt == nil })
        let newVersions = Int64(plan.steps.count { $0.row.version == nil })
        let taken = try connection.run([
            Self.takeStamps(newStamps, after: plan.latestStamp, now: now, of: table.name),
            SQLText("SELECT nextval('zumod_version') FROM generate_series(1, $1::int8)", [.integer(newVersions)]),
        ])
        var stamp = taken[0].integer(0, 0) - newStamps + 1
        var versions = (0..<taken[1].rowCount).map { taken[1].integer($0, 0) }[...]
        let dialect = PostgresDialect()
        var statements: [SQLText] = []
        for step in plan.steps {
            var (rowStamp, version) = (step.row.updatedAt, step.row.version)
            if rowStamp == nil {
                rowStamp = Instant(milliseconds: stamp)
                stamp += 1
            }
            if version == nil { version = versions.popFirst().map(Version.init(counter:)) }
            guard let rowStamp, let version else { throw .table(.failed(detail: "too few versions were given")) }
            statements += step.statements(
                VersionBump(version: version, stamp: rowStamp), into: table, dialect: dialect)
        }
        statements += plan.endings(of: batch, into: table, dialect: dialect)
        if !statements.isEmpty { _ = try connection.run(statements) }
    }

    /// Moves the version counter past one that is kept. The sequence is locked meanwhile: a number taken between
    /// reading it and moving it would be assigned again.
    private func raise(to highest: Version) throws(PostgresFailure) {
        let last = try connection.run("SELECT last_value FROM zumod_version")
        guard last.integer(0, 0) < highest.counter else { return }
        _ = try connection.run([
            SQLText("ALTER SEQUENCE zumod_version NO CYCLE"),
            SQLText(PostgresDialect().raiseVersion(to: highest.counter), PostgresDialect()),
        ])
    }

    /// Takes new stamps after those that are kept, and returns the last one.
    private static func takeStamps(
        _ count: Int64, after latest: Instant?, now: Instant, of table: Identifier
    ) -> SQLText {
        SQLText(
            """
            UPDATE zumod_tables SET last_stamp = CASE WHEN $1::int8 = 0 THEN greatest(last_stamp, $2::int8)
                ELSE greatest(last_stamp + 1, $2::int8 + 1, $3::int8) + $1::int8 - 1 END
            WHERE name = $4::text RETURNING last_stamp
            """,
            [
                .integer(count), .integer(latest?.milliseconds ?? 0), .integer(now.milliseconds), .text(table.text),
            ])
    }
}
