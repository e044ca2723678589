/// What a store has found out about the row with a write's id, as far as the verdict on the write depends on it.
public struct RowState: Sendable, Hashable {
    /// nil where another program left something that is no version: no precondition that names one holds for it.
    public let version: Version?
    /// Whether the row is marked as a tombstone.
    public let isDeleted: Bool
    /// Whether the row is in the scope of the write. Only an insert looks at rows that aren't.
    public let isInScope: Bool
    /// Whether the scope allows writing the row; for an insert, whether it would allow the row that was to have the id.
    public let isWritable: Bool

    /// Describes a row; if nothing is said about a scope, everything may be done in it.
    public init(version: Version?, isDeleted: Bool, isInScope: Bool = true, isWritable: Bool = true) {
        self.version = version
        self.isDeleted = isDeleted
        self.isInScope = isInScope
        self.isWritable = isWritable
    }
}
