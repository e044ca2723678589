public import OData

/// The rows that a caller may see and modify: those that match a condition. For the caller, no other row exists.
///
/// The conditions mean what they would mean in a v3 query, whatever the accompanying query: text is compared by code
/// point, and null is a value. A column that the table doesn't have is null, as it will be in these rows once it is
/// added.
public struct RowScope: Sendable, Equatable {
    /// The condition for all rows in the scope.
    public let condition: Expression
    /// An additional condition for the rows that the caller may write; nil for all of them.
    public let writable: Expression?
    /// An additional condition on the one row that a write affects, as it is before the write, but not on the row that
    /// it becomes; nil for none. It means what it would mean as the filter of a list: text ignores case, and a column
    /// that the table lacks matches nothing.
    public var asked: Expression?

    /// Creates a scope; every row that a caller writes must match its conditions, before and after the write.
    public init(_ condition: Expression, writable: Expression? = nil) {
        self.condition = condition
        self.writable = writable
    }

    /// The condition for the rows that the caller may write.
    public var writeCondition: Expression {
        writable.map { .binary(.and, condition, $0, at: condition.offset) } ?? condition
    }

    /// The option that errors in a scope name.
    public static let option = "scope"
}

extension TableError {
    /// Wraps a query's error; an error in a scope is the operator's, since the client didn't write it.
    public init(_ error: QueryError) {
        self = error.option == RowScope.option ? .definition("a row scope can't be: \(error.reason)") : .query(error)
    }
}
