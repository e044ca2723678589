public import OData
import TableSQL
public import Tables

extension SQLiteTableStore: TombstoneStore {
    /// Counts on a thread of the pool.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        let statement = TombstoneStatement.count(before: before, in: table, dialect: SQLiteDialect())
        return try await readSlowly { connection throws(TableError) in
            try connection.withStatement(statement) { row throws(TableError) in
                try row.step() ? row.integer(at: 0) : 0
            }
        }
    }

    /// Looks for tombstones beside the writer, which then only removes those that were found.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        let list = TombstoneStatement.list(
            from: start, before: before, limit: limit, in: table, dialect: SQLiteDialect())
        let isIntegral = table.rules.autoIncrement
        let found = try await readSlowly { connection throws(TableError) in
            var found: [(id: RowID, stamp: Instant)] = []
            try connection.query(list.text, list.bindings) { row in
                // What a SQL shell left as a stamp tells no age.
                guard let stamp = Instant(row.string(at: 1)) else { return }
                found.append((isIntegral ? .integer(row.integer(at: 0)) : .text(row.string(at: 0)), stamp))
            }
            return found
        }
        guard let last = found.last?.stamp else { return PurgeStep(removed: 0, next: nil) }
        let removed = try await writer.write { session throws(TableError) in
            var removed = 0
            try session.removing { () throws(TableError) in
                for tombstone in found {
                    let remove = RemoveStatement(
                        tombstone.id, tombstoneBefore: before, in: table, dialect: session.dialect
                    ).sql
                    try session.connection.query(remove.text, remove.bindings) { _ in removed += 1 }
                }
            }
            if removed > 0 { try session.movePurgeFence(of: table.name, to: last) }
            return removed
        }
        return PurgeStep(removed: removed, next: found.count < limit ? nil : last)
    }

    private func readSlowly<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try await pool.run(by: "", limit: Self.purgeLimit) { _ throws(TableError) in try readers.read(body) }
    }

    /// Nobody waits for a purge: it has its turn when others have had theirs.
    private static let purgeLimit = Duration.seconds(60)
}
