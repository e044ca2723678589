public import OData
import TableSQL
public import Tables

extension PostgresTableStore: TombstoneStore {
    /// Counts on a thread of the pool.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        try watch.check()
        return try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            let count = TombstoneStatement.count(before: before, in: table, dialect: PostgresDialect())
            return try PatientTransaction.run([count], on: connection)[0].integer(0, 0)
        }
    }

    /// Looks for tombstones before it takes the table's turn, which it then holds only while it removes them.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        try watch.check()
        return try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            let list = TombstoneStatement.list(
                from: start, before: before, limit: limit, in: table, dialect: PostgresDialect())
            let found = try PatientTransaction.run([list], on: connection)[0]
            guard found.rowCount > 0 else { return PurgeStep(removed: 0, next: nil) }
            let last = StoredDate.instant(microseconds: found.integer(found.rowCount - 1, 1))
            var statements = [
                SQLText(text: "SELECT set_config('zumod.writes', 'on', true)", bindings: []),
                PurgeFence.move(of: table.name, to: last),
            ]
            let first = statements.count
            for row in 0..<found.rowCount {
                let id: RowID =
                    table.rules.autoIncrement ? .integer(found.integer(row, 0)) : .text(found.string(row, 0))
                statements.append(
                    RemoveStatement(id, tombstoneBefore: before, in: table, dialect: PostgresDialect()).sql)
            }
            let results = try PatientTransaction.run(statements, on: connection)
            let removed = results[first...].reduce(0) { $0 + $1.rowCount }
            return PurgeStep(removed: removed, next: found.rowCount < limit ? nil : last)
        }
    }
}

/// The stamp up to which a table's tombstones are gone.
enum PurgeFence {
    /// Also locks the table's row, as every write does.
    static func move(of table: Identifier, to stamp: Instant) -> SQLText {
        SQLText(
            text: """
                UPDATE zumod_tables SET purged_through = greatest(purged_through, $1::int8) WHERE name = $2::text
                """, bindings: [.integer(stamp.milliseconds), .text(table.text)])
    }
}

/// Statements in one transaction that may take their time: no client waits for them.
enum PatientTransaction {
    static func run(
        _ statements: [SQLText], on connection: PostgresConnection
    ) throws(PostgresFailure) -> [PostgresResult] {
        let begin =
            [
                SQLText(text: "BEGIN ISOLATION LEVEL READ COMMITTED", bindings: []),
                SQLText(text: "SET LOCAL statement_timeout = 0", bindings: []),
            ] + connection.durableSettings
        do throws(PostgresFailure) {
            let results = try connection.run(begin + statements + [SQLText(text: "COMMIT", bindings: [])])
            return Array(results[begin.count..<begin.count + statements.count])
        } catch {
            connection.rollback()
            throw error
        }
    }
}
