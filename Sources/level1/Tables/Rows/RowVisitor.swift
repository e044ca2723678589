/// Receives rows cell by cell while a store walks its result, so that no row is ever built as an object.
///
/// The order of calls: `begin` once, then for each row `beginRow`, a cell for each field in the order of the fields,
/// `endRow`. A list ends after the row with which the visitor is full.
public protocol RowVisitor: Sendable {
    /// The columns that each row will have.
    mutating func begin(_ layout: RowLayout)
    mutating func beginRow()
    mutating func visit(_ cell: RowCell)
    mutating func endRow()
    /// A whole row, in place of the calls from `beginRow` to `endRow`.
    mutating func visit(_ cells: Span<RowCell>)
    /// Whether the visitor takes no further row. The page then ends after its last one, which is at least the first.
    var isFull: Bool { get }
}

extension RowVisitor {
    /// Begins with columns for which no layout was made.
    public mutating func begin(_ fields: [Field]) { begin(RowLayout(fields)) }

    /// Most visitors take every row.
    public var isFull: Bool { false }

    /// Visits a row cell by cell.
    public mutating func visit(_ cells: Span<RowCell>) {
        beginRow()
        for index in cells.indices { visit(cells[index]) }
        endRow()
    }
}

// Single cells, by their kind.
extension RowVisitor {
    /// Nothing.
    public mutating func null() { visit(RowCell.null) }
    /// True or false.
    public mutating func boolean(_ value: Bool) { visit(RowCell.boolean(value)) }
    /// A whole number.
    public mutating func integer(_ value: Int64) { visit(RowCell.integer(value)) }
    /// A number.
    public mutating func number(_ value: Double) { visit(RowCell.number(value)) }
    /// A row's version.
    public mutating func version(_ value: Version) { visit(RowCell.version(value.counter)) }

    /// A decimal as its digits, in the form of `DecimalNumber.text`, which is JSON.
    public mutating func decimal(_ digits: Span<UInt8>) {
        unsafe digits.withUnsafeBufferPointer { unsafe visit(RowCell(unsafe: .decimal, $0)) }
    }

    /// UTF-8 text, or a date in the wire form.
    public mutating func text(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe visit(RowCell(unsafe: .text, $0)) }
    }
}
