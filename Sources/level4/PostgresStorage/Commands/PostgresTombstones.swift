public import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: TombstoneStore {
    /// Counts on a thread of the pool.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        try watch.check()
        return try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            let count = TombstoneStatement.count(before: before, in: table, dialect: PostgresDialect())
            return try connection.longTransaction([count])[0].integer(0, 0)
        }
    }

    /// Searches for tombstones before it takes the table's turn, which it holds only while it removes them.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        try watch.check()
        return try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            let list = TombstoneStatement.list(
                from: start, before: before, limit: limit, in: table, dialect: PostgresDialect())
            let found = Tombstone.all(of: try connection.longTransaction([list])[0].rows, in: table)
            guard let last = found.last?.stamp else { return PurgeStep(removed: 0, next: nil) }
            let purge = try TombstoneRemoval(table, before: before, on: connection)
            let (removed, kept) = try purge.remove(found)
            return PurgeStep(removed: removed, next: found.count < limit ? nil : last, kept: kept)
        }
    }
}

/// Removes tombstones for good, except those that other rows refer to.
private struct TombstoneRemoval {
    let table: Table
    let before: Instant
    let connection: PostgresConnection
    let references: [RowReference]

    init(_ table: Table, before: Instant, on connection: PostgresConnection) throws(PostgresFailure) {
        self.table = table
        self.before = before
        self.connection = connection
        references = try connection.references(to: table.name)
    }

    func remove(_ tombstones: [Tombstone]) throws(PostgresFailure) -> (removed: Int, kept: [RetainedTombstone]) {
        var kept = try referred(among: tombstones)
        let needed = Set(kept.map(\.id))
        let free = tombstones.filter { !needed.contains($0.id) }
        do throws(PostgresFailure) {
            return (try removeTogether(free), kept)
        } catch {
            guard case .refused(let state, _) = error, state.isOfTheStatement else { throw error }
        }
        // Something prevents the removal of one of them, such as another program's trigger: the others go one by one.
        var removed = 0
        for tombstone in free {
            do throws(PostgresFailure) {
                removed += try removeTogether([tombstone])
            } catch {
                guard case .refused(let state, let detail) = error, state.isOfTheStatement else { throw error }
                kept.append(RetainedTombstone(id: tombstone.id, reason: detail))
            }
        }
        return (removed, kept)
    }

    private func referred(among tombstones: [Tombstone]) throws(PostgresFailure) -> [RetainedTombstone] {
        guard !references.isEmpty else { return [] }
        let results = try connection.longTransaction(
            tombstones.map {
                TombstoneStatement.reference(
                    to: $0.id, before: before, by: references, in: table, dialect: PostgresDialect())
            })
        return zip(tombstones, results).compactMap { tombstone, result in
            guard result.rowCount > 0 else { return nil }
            return RetainedTombstone(id: tombstone.id, referredToBy: references[Int(result.integer(0, 0))].table)
        }
    }

    private func removeTogether(_ tombstones: [Tombstone]) throws(PostgresFailure) -> Int {
        guard let last = tombstones.map(\.stamp).max() else { return 0 }
        var statements = [
            SQLText.ownWrites,
            TombstoneStatement.moveFence(of: table.name, to: last, dialect: PostgresDialect()),
        ]
        // No row may start to refer to them between checking the references and the delete.
        if !references.isEmpty {
            statements += tombstones.map { TombstoneStatement.lock($0.id, in: table, dialect: PostgresDialect()) }
        }
        let first = statements.count
        statements += tombstones.map {
            TombstoneStatement.remove(
                $0.id, before: before, unless: references, in: table, dialect: PostgresDialect())
        }
        return try connection.longTransaction(statements)[first...].reduce(0) { $0 + $1.rowCount }
    }
}

extension PostgresConnection {
    /// Runs statements in one transaction that may take long, as no client is waiting for it.
    fileprivate func longTransaction(_ statements: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        let settings = [SessionSettings.ofTransaction, SQLText("SET LOCAL statement_timeout = 0")]
        return try transaction(statements, with: settings + durableSettings)
    }

    /// Returns the foreign keys by which rows refer to rows of a table, from all schemas.
    /// - Throws: `failed` if rows that the database's user can't see would be deleted, or lose their reference.
    fileprivate func references(to table: Identifier) throws(PostgresFailure) -> [RowReference] {
        let result = try run(
            """
            SELECT n.nspname::text, c.relname::text, c.oid = t.oid, f.oid::int8, own.attname::text,
                other.attname::text,
                has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
                f.confdeltype IN ('a', 'r')
            FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid JOIN pg_class c ON c.oid = f.conrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            CROSS JOIN LATERAL unnest(f.conkey, f.confkey) AS pair (own, other)
            JOIN pg_attribute own ON own.attrelid = c.oid AND own.attnum = pair.own
            JOIN pg_attribute other ON other.attrelid = t.oid AND other.attnum = pair.other
            WHERE f.contype = 'f' AND f.conparentid = 0 AND t.relname = $1::text
                AND t.relnamespace = \(CurrentSchema.oid)
            ORDER BY n.nspname, c.relname, f.oid, own.attnum
            """, [.text(PostgresName.physical(table.text))])
        var found: [RowReference] = []
        for row in 0..<result.rowCount {
            guard result.boolean(row, 6) else {
                // Such a key prevents the delete by itself.
                if result.boolean(row, 7) { continue }
                let name = "\(result.string(row, 0)).\(result.string(row, 1))"
                throw .table(
                    .failed(
                        detail: """
                            rows of \(name) may refer to tombstones of \(table), and the database's user may not read it
                            """))
            }
            found.add(
                schema: result.string(row, 0), table: result.string(row, 1), isOwn: result.boolean(row, 2),
                number: result.integer(row, 3), own: result.string(row, 4), other: result.string(row, 5))
        }
        return found
    }
}
