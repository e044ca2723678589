/// What a store has found of the row that has a write's id, as far as the verdict on the write depends on it.
public struct RowState: Sendable, Hashable {
    /// nil where another program left something that is no version: no precondition that names one holds for it.
    public let version: Version?
    /// Whether the row is marked as a tombstone.
    public let isDeleted: Bool
    /// Whether the row is in the scope of the write. Only an insert looks at rows that aren't.
    public let isInScope: Bool
    /// Whether the scope lets the row be written; of an insert, whether it would let the row be that was to have the id.
    public let isWritable: Bool

    /// Tells of a row; where nothing is said of a scope, all may be done in it.
    public init(version: Version?, isDeleted: Bool, isInScope: Bool = true, isWritable: Bool = true) {
        self.version = version
        self.isDeleted = isDeleted
        self.isInScope = isInScope
        self.isWritable = isWritable
    }
}
