public import Tables

/// What the columns behind those of a row tell that a `FindStatement` looks for.
public enum RowTelling: Sendable {
    /// Nothing: every row that is found may be written.
    case nothing
    /// Whether the row may be written.
    case isWritable
    /// Whether the row is in scope, and whether the one that was to have its id may be written.
    case isInScopeAndWritable

    /// What a statement for a row that is about to be written tells.
    public init(writingIn scope: RowScope?) {
        self = scope?.writable == nil ? .nothing : .isWritable
    }

    /// What was found of the row.
    /// - Parameter isTold: what a column says, counted from the first behind the row's own.
    public func state(version: Version?, isDeleted: Bool, isTold: (Int) -> Bool) -> RowState {
        switch self {
        case .nothing:
            RowState(version: version, isDeleted: isDeleted)
        case .isWritable:
            RowState(version: version, isDeleted: isDeleted, isWritable: isTold(0))
        case .isInScopeAndWritable:
            RowState(version: version, isDeleted: isDeleted, isInScope: isTold(0), isWritable: isTold(1))
        }
    }
}
