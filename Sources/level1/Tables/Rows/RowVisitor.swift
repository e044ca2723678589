/// Receives rows cell by cell while a store walks its result, so that no row is ever built as an object.
///
/// The order of calls: `begin` once, then for each row `beginRow`, one cell call per field in the order of the fields,
/// `endRow`. Bytes passed in are valid only during the call. A list ends after the row with which the visitor is full.
public protocol RowVisitor: Sendable {
    /// The columns that each row will have.
    mutating func begin(_ layout: RowLayout)
    mutating func beginRow()
    mutating func null()
    mutating func boolean(_ value: Bool)
    mutating func integer(_ value: Int64)
    mutating func number(_ value: Double)
    /// A decimal as its digits, in the form of `DecimalNumber.text`, which is JSON.
    mutating func decimal(_ digits: Span<UInt8>)
    /// UTF-8 text, or a date in the wire form.
    mutating func text(_ bytes: Span<UInt8>)
    mutating func version(_ value: Version)
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
}
