import OData

/// A row that a statement of an `SQLExecutor` answered.
public struct SQLRow: Sendable {
    /// What such statements select.
    public enum Cell: Sendable {
        /// SQL's `NULL`.
        case null
        /// A whole number, or a truth value as 0 or 1.
        case integer(Int64)
        /// Text as it was before it was stored.
        case text(String)
    }

    private let cells: [Cell]

    /// Makes a row of its cells.
    public init(_ cells: [Cell]) {
        self.cells = cells
    }

    /// A cell that holds a whole number; nil for null.
    func integer(_ column: Int) -> Int64? {
        guard case .integer(let number) = cells[column] else { return nil }
        return number
    }

    /// A cell that holds a truth value; false for null.
    func boolean(_ column: Int) -> Bool { integer(column) ?? 0 != 0 }

    /// A cell that holds text; nil for null.
    func text(_ column: Int) -> String? {
        guard case .text(let text) = cells[column] else { return nil }
        return text
    }

    /// A cell that holds milliseconds since 1970; nil for null.
    func instant(_ column: Int) -> Instant? { integer(column).map(Instant.init(milliseconds:)) }
}
