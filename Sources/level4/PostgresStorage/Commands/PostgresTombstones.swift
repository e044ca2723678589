public import TableSQL
public import Tables

extension PostgresTableStore: TombstoneExecutor {
    /// Reads on a thread of the pool, without a time limit.
    public func unhurriedRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await ready(pool).run(isPatient: true) { connection throws(PostgresFailure) in
            try connection.longTransaction([statement])[0]
        }
    }

    /// Removes them on a thread of the pool, which takes the table's turn only for that.
    public func remove(
        _ tombstones: [Tombstone], by statements: TombstoneStatements
    ) async throws(TableError) -> (removed: Int, kept: [RetainedTombstone]) {
        try await ready(pool).run(isPatient: true) { connection throws(PostgresFailure) in
            let references = try connection.references(to: statements.table.name)
            return try TombstoneRemoval(statements: statements, references: references, connection: connection)
                .remove(tombstones)
        }
    }
}

/// Removes tombstones for good, except those that other rows refer to.
private struct TombstoneRemoval {
    let statements: TombstoneStatements
    let references: [RowReference]
    let connection: PostgresConnection

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
        let found = try connection.longTransaction(tombstones.map { statements.reference(to: $0.id, by: references) })
        return zip(tombstones, found).compactMap { tombstone, rows in
            rows.first?.integer(0).map { RetainedTombstone(id: tombstone.id, referredToBy: references[Int($0)].table) }
        }
    }

    private func removeTogether(_ tombstones: [Tombstone]) throws(PostgresFailure) -> Int {
        guard let last = tombstones.map(\.stamp).max() else { return 0 }
        let fence = TombstoneStatements.moveFence(of: statements.table.name, to: last)
        // No row may start to refer to them between checking the references and the delete.
        let locks = references.isEmpty ? [] : tombstones.map { statements.lock($0.id, by: PostgresDialect()) }
        let removals = tombstones.map { statements.remove($0.id, unless: references) }
        return try connection.longTransaction([fence] + locks + removals, with: [.ownWrites])
            .suffix(removals.count).reduce(0) { $0 + $1.count }
    }
}

extension PostgresConnection {
    /// Runs statements in one transaction that may take long, as no client is waiting for it.
    fileprivate func longTransaction(
        _ statements: [SQLFragment], with more: [SQLText] = []
    ) throws(PostgresFailure) -> [[SQLRow]] {
        let settings = [SessionSettings.ofTransaction, SQLText("SET LOCAL statement_timeout = 0")]
        return try transaction(texts(of: statements), with: settings + durableSettings + more).map(\.rows)
    }

    /// Returns the foreign keys by which rows refer to rows of a table, from all schemas.
    /// - Throws: `failed` if rows that the database's user can't see would be deleted, or lose their reference.
    fileprivate func references(to table: Identifier) throws(PostgresFailure) -> [RowReference] {
        let rows = try rows(
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
        for row in rows {
            guard row.boolean(6) else {
                // Such a key prevents the delete by itself.
                if row.boolean(7) { continue }
                let name = "\(row.words(0)).\(row.words(1))"
                throw .table(
                    .failed(
                        detail: """
                            rows of \(name) may refer to tombstones of \(table), and the database's user may not read it
                            """))
            }
            found.add(
                schema: row.words(0), table: row.words(1), isOwn: row.boolean(2), number: row.integer(3) ?? 0,
                own: row.words(4), other: row.words(5))
        }
        return found
    }
}
