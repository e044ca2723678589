public import Scalars

/// A store that reports on the served tables what neither their definitions nor their rows say.
public protocol StatisticsStore: Sendable {
    /// The bytes that tables take on disk with their indexes. A table for which that is not known, or takes too long to
    /// find out, is left out.
    func sizes() async throws(TableError) -> [Identifier: Int64]

    /// The greatest `updatedAt` of each table, tombstones included; none for a table without rows.
    func lastChanges() async throws(TableError) -> [Identifier: Instant]
}
