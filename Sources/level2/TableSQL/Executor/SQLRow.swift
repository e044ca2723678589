public import Scalars
public import Tables

/// A row returned by a statement of an `SQLExecutor` or an `SQLConnection`: nulls, whole numbers, texts in their
/// original form, and booleans and dates if the database doesn't store them as numbers and text.
public struct SQLRow: Sendable {
    private let cells: [Value]

    /// Creates a row from its cells.
    public init(_ cells: [Value]) {
        self.cells = cells
    }

    /// Returns a cell's whole number; nil for null.
    public func integer(_ column: Int) -> Int64? { cells[column].integerValue }

    /// Returns a cell's boolean; false for null.
    public func boolean(_ column: Int) -> Bool { cells[column].booleanValue ?? (integer(column) ?? 0 != 0) }

    /// Returns a cell's text; nil for null.
    public func text(_ column: Int) -> String? { cells[column].textValue }

    /// Returns a cell's date; nil if it isn't one.
    public func date(_ column: Int) -> Instant? { cells[column].dateValue ?? text(column).flatMap { Instant($0) } }

    /// Returns any cell's value as text; empty for null.
    public func words(_ column: Int) -> String {
        integer(column).map { String($0) } ?? text(column) ?? date(column)?.wireText ?? ""
    }

    /// Returns a cell's instant, stored in milliseconds since 1970; nil for null.
    public func instant(_ column: Int) -> Instant? { integer(column).map(Instant.init(milliseconds:)) }
}
