/// Receives rows cell by cell while a store walks its result, so that no row is ever built as an object.
///
/// The order of calls: `begin` once, then for each row `beginRow`, one cell call per field in the order of the fields,
/// `endRow`. Bytes handed in are valid for the call only. Behind a row by which the visitor is full a list ends.
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
    /// Whether the visitor takes no further row. The page ends behind its last one then, which is the first at least.
    var isFull: Bool { get }
}

extension RowVisitor {
    /// Begins with columns of which no layout was made.
    public mutating func begin(_ fields: [Field]) { begin(RowLayout(fields)) }

    /// Most visitors take every row.
    public var isFull: Bool { false }
}
