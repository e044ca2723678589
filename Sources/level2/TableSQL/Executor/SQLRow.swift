public import Scalars

/// A row that a statement of an `SQLExecutor` or an `SQLConnection` answered.
public struct SQLRow: Sendable {
    /// What such statements select.
    public enum Cell: Sendable {
        /// SQL's `NULL`.
        case null
        /// A whole number, or a truth value as 0 or 1.
        case integer(Int64)
        /// Text as it was before it was stored.
        case text(String)
        /// A date, where the database doesn't keep it as text.
        case date(Instant)
    }

    private let cells: [Cell]

    /// Makes a row of its cells.
    public init(_ cells: [Cell]) {
        self.cells = cells
    }

    /// A cell that holds a whole number; nil for null.
    public func integer(_ column: Int) -> Int64? {
        guard case .integer(let number) = cells[column] else { return nil }
        return number
    }

    /// A cell that holds a truth value; false for null.
    public func boolean(_ column: Int) -> Bool { integer(column) ?? 0 != 0 }

    /// A cell that holds text; nil for null.
    public func text(_ column: Int) -> String? {
        guard case .text(let text) = cells[column] else { return nil }
        return text
    }

    /// A column of dates; nil for what is none.
    public func date(_ column: Int) -> Instant? {
        switch cells[column] {
        case .date(let date): date
        case .text(let text): Instant(text)
        case .null, .integer: nil
        }
    }

    /// Whatever a cell holds, in words; none for null.
    public func words(_ column: Int) -> String {
        switch cells[column] {
        case .null: ""
        case .integer(let number): String(number)
        case .text(let text): text
        case .date(let date): date.wireText
        }
    }

    /// A cell that holds milliseconds since 1970; nil for null.
    public func instant(_ column: Int) -> Instant? { integer(column).map(Instant.init(milliseconds:)) }
}
