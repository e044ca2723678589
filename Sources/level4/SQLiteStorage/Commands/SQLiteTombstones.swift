import Scalars
public import TableSQL
public import Tables

extension SQLiteTableStore: TombstoneExecutor {
    /// Reads on a thread of the pool, after everything that is urgent.
    public func unhurriedRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        guard let readers else { return try await rows(of: statement) }
        return try await pool.run(by: "", limit: .seconds(60)) { _ throws(TableError) in
            try readers.read { connection throws(TableError) in try connection.rows(of: statement) }
        }
    }

    /// Removes them on the writer's thread, one after another.
    public func remove(
        _ tombstones: [Tombstone], by statements: TombstoneStatements
    ) async throws(TableError) -> (removed: Int, kept: [RetainedTombstone]) {
        try await writer.write { session throws(TableError) in
            let (connection, table) = (session.connection, statements.table)
            let references = try connection.references(to: table.name)
            var free: Set<RowID> = []
            if !references.isEmpty {
                let rows = try connection.rows(of: statements.list(unless: references))
                free = Set(Tombstone.all(of: rows, in: table).map(\.id))
            }
            var (removed, kept): ([Instant], [RetainedTombstone]) = ([], [])
            try session.removing(from: table.name) { () throws(TableError) in
                for tombstone in tombstones {
                    let keys = free.contains(tombstone.id) ? [] : references
                    if try session.remove(tombstone.id, unless: keys, by: statements, else: &kept) {
                        removed.append(tombstone.stamp)
                    }
                }
            }
            if let fence = removed.max() { try session.movePurgeFence(of: table.name, to: fence) }
            return (removed.count, kept)
        }
    }
}

extension WriteSession {
    /// Records that tombstones have been removed up to a stamp.
    func movePurgeFence(of table: Identifier, to stamp: Instant) throws(TableError) {
        _ = try connection.rows(of: TombstoneStatements.moveFence(of: table, to: stamp))
    }

    /// Removes a tombstone. If the database refuses, such as by another program's trigger, the others can still go.
    /// - Parameter kept: gets it, with the reason, if it has to stay.
    /// - Returns: whether it is gone.
    fileprivate func remove(
        _ id: RowID, unless references: [RowReference], by statements: TombstoneStatements,
        else kept: inout [RetainedTombstone]
    ) throws(TableError) -> Bool {
        do throws(TableError) {
            let gone = try savepoint { session throws(TableError) in
                try session.connection.rows(of: statements.remove(id, unless: references))
            }
            if !gone.isEmpty { return true }
        } catch {
            guard error.isOfTheStatement, connection.isInTransaction else { throw error }
            kept.append(RetainedTombstone(id: id, reason: error.detail))
            return false
        }
        // If nothing refers to it, it is a live row again, or has been removed already.
        if !references.isEmpty,
            let place = try connection.rows(of: statements.reference(to: id, by: references)).first?.integer(0)
        {
            kept.append(RetainedTombstone(id: id, referredToBy: references[Int(place)].table))
        }
        return false
    }
}

extension SQLiteConnection {
    /// Returns the foreign keys by which rows refer to rows of a table, whether or not SQLite enforces them.
    fileprivate func references(to table: Identifier) throws(TableError) -> [RowReference] {
        let columns = try rows(of: "PRAGMA main.table_xinfo(\(table))").map { $0.words(1).lowercased() }
        let tables = try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        var found: [RowReference] = []
        for name in tables.map({ $0.words(0) }) {
            // Number, index of the pair of columns, other table, own column, other column or null.
            for row in try rows(of: "PRAGMA main.foreign_key_list(\(SQLFragment(named: name)))") {
                let other = row.text(4) ?? "id"
                // A key to a column that doesn't exist refers to no row.
                guard Identifier(row.words(2)) == table, columns.contains(other.lowercased()) else { continue }
                found.add(
                    schema: nil, table: name, isOwn: Identifier(name) == table, number: row.integer(0) ?? 0,
                    own: row.words(3), other: other)
            }
        }
        return found
    }
}
