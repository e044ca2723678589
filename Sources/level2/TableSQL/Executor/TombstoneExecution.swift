public import Scalars
public import Tables

/// A `TombstoneStore` by SQL statements.
public protocol TombstoneExecutor: SQLExecutor, TombstoneStore {
    /// Runs a statement that reads, and may take long as no client is waiting for it.
    func unhurriedRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow]

    /// Removes tombstones, except those that rows refer to and those that the database refuses to delete, such as by
    /// another program's trigger. Moves the fence.
    /// - Parameter statements: those that found them.
    /// - Returns: how many are gone, and which had to stay.
    func remove(
        _ tombstones: [Tombstone], by statements: TombstoneStatements
    ) async throws(TableError) -> (removed: Int, kept: [RetainedTombstone])
}

extension TombstoneExecutor {
    /// Counts in one statement.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        try await unhurriedRows(of: TombstoneStatements(table: table, before: before).count).first?.integer(0) ?? 0
    }

    /// Searches for tombstones without keeping anybody from writing, and then only removes those that were found.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        let statements = TombstoneStatements(table: table, start: start, before: before, limit: limit)
        let found = Tombstone.all(of: try await unhurriedRows(of: statements.list()), in: table)
        guard let last = found.last?.stamp else { return PurgeStep(removed: 0, next: nil) }
        let (removed, kept) = try await remove(found, by: statements)
        return PurgeStep(removed: removed, next: found.count < limit ? nil : last, kept: kept)
    }
}
