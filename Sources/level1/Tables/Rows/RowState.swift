/// What a store found out about the row with a write's id, as far as the verdict on the write depends on it.
public struct RowState: Sendable, Hashable {
    /// The version; nil if another program left an invalid one: no precondition that names a version holds for it.
    public let version: Version?
    /// Whether the row is marked as a tombstone.
    public let isDeleted: Bool
    /// Whether the row is in the scope of the write. Only an insert considers rows that aren't.
    public let isInScope: Bool
    /// Whether the scope allows writing the row; for an insert, whether it would allow the new row.
    public let isWritable: Bool

    /// Describes a row, by default one on which a scope sets no limits.
    public init(version: Version?, isDeleted: Bool, isInScope: Bool = true, isWritable: Bool = true) {
        self.version = version
        self.isDeleted = isDeleted
        self.isInScope = isInScope
        self.isWritable = isWritable
    }
}
