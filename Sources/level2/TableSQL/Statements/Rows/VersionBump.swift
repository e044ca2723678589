public import Scalars
public import Tables

/// What every write assigns to its row: the next version, and the table's next stamp as `updatedAt`.
public struct VersionBump: Sendable, Equatable {
    /// The row's new version.
    public let version: Version
    /// The row's new `updatedAt`.
    public let stamp: Instant

    /// Combines the values of the store's counters.
    public init(version: Version, stamp: Instant) {
        self.version = version
        self.stamp = stamp
    }
}

extension SQLBuilder {
    /// Appends the RETURNING clause that returns the whole row.
    mutating func returning(_ table: Table) {
        append(" RETURNING ")
        fields(table.fields)
    }
}
