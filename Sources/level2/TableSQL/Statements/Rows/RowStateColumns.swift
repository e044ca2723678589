public import Tables

/// What the columns after those of the row in a `FindStatement`'s result tell.
public enum RowStateColumns: Sendable {
    /// Nothing: every row that is found may be written.
    case nothing
    /// Whether the row may be written.
    case isWritable
    /// Whether the row is in scope, and whether the one that was to have its id may be written.
    case isInScopeAndWritable

    /// What the statement for a row that is about to be written tells.
    public init(writingIn scope: RowScope?) {
        self = scope?.writable == nil ? .nothing : .isWritable
    }

    /// What was found out about the row.
    /// - Parameter isTold: the value of a column, counted from the first after the row's own.
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
