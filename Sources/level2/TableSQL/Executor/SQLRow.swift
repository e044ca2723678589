public import Scalars
public import Tables

/// A row that a statement of an `SQLExecutor` or an `SQLConnection` answered: null, whole numbers, texts as they were
/// before they were stored, and truth values and dates where the database doesn't keep them as numbers and as text.
public struct SQLRow: Sendable {
    private let cells: [Value]

    /// Makes a row of its cells.
    public init(_ cells: [Value]) {
        self.cells = cells
    }

    /// A cell that holds a whole number; nil for null.
    public func integer(_ column: Int) -> Int64? { cells[column].integerValue }

    /// A cell that holds a truth value; false for null.
    public func boolean(_ column: Int) -> Bool { cells[column].booleanValue ?? (integer(column) ?? 0 != 0) }

    /// A cell that holds text; nil for null.
    public func text(_ column: Int) -> String? { cells[column].textValue }

    /// A column of dates; nil for what is none.
    public func date(_ column: Int) -> Instant? { cells[column].dateValue ?? text(column).flatMap { Instant($0) } }

    /// Whatever a cell holds, in words; none for null.
    public func words(_ column: Int) -> String {
        integer(column).map { String($0) } ?? text(column) ?? date(column)?.wireText ?? ""
    }

    /// A cell that holds milliseconds since 1970; nil for null.
    public func instant(_ column: Int) -> Instant? { integer(column).map(Instant.init(milliseconds:)) }
}
