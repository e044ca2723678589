public import OData

/// The rows that a caller may see and touch: those that match a condition. For the caller no other row exists.
///
/// The conditions mean what they would mean in a v3 query, whatever the accompanying query: text is compared by code
/// point, and null is a value. A column that the table doesn't have is null, as it will be in these rows once it is
/// added.
public struct RowScope: Sendable, Equatable {
    /// What is true of the rows.
    public let condition: Expression
    /// An additional condition for those that the caller may write; nil if that is all of them.
    public let writable: Expression?
    /// What is asked besides of the one row that a write is about, as it is before the write, and of no row that it may
    /// become; nil for nothing. It means what it would mean as the filter of a list: text ignores case, and a
    /// column that the table lacks fulfils nothing.
    public var asked: Expression?

    /// Makes a scope; every row that a caller writes has to fulfil its conditions, before it is written and after.
    public init(_ condition: Expression, writable: Expression? = nil) {
        self.condition = condition
        self.writable = writable
    }

    /// What is true of the rows that the caller may write.
    public var writeCondition: Expression {
        writable.map { .binary(.and, condition, $0, at: condition.offset) } ?? condition
    }

    /// What errors in a scope name as the option at fault.
    public static let option = "scope"
}

extension TableError {
    /// The error of a query; a scope's is the operator's, since it is none of the client's words.
    public init(_ error: QueryError) {
        self = error.option == RowScope.option ? .definition("a row scope can't be: \(error.reason)") : .query(error)
    }
}
