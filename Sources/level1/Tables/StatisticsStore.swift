public import Scalars

/// A store that reports statistics of the served tables that neither their definitions nor their rows contain.
public protocol StatisticsStore: Sendable {
    /// Returns the bytes that tables take on disk, with their indexes. A table whose size is unknown, or takes too long
    /// to determine, is left out.
    func sizes() async throws(TableError) -> [Identifier: Int64]

    /// Returns the greatest `updatedAt` of each table, tombstones included; tables without rows are left out.
    func lastChanges() async throws(TableError) -> [Identifier: Instant]
}
