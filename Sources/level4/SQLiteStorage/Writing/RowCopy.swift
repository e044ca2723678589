import Scalars
import Tables

/// A row as the thread that read it saw it, for the caller that asked for it to visit.
///
/// The writer's thread makes it instead of visiting the row: everybody waits for that thread, and calling a visitor,
/// whose type is known only at run time, takes longer than the copy.
@safe struct RowCopy: RowVisitor {
    private var layout = RowCopy.noColumns
    private var cells: [Cell] = []
    /// The texts of all cells, one after the other.
    private var texts: [UInt8] = []

    /// A cell without the bytes that a `RowCell` points to.
    private struct Cell {
        let kind: RowCell.Kind
        let isPlain: Bool
        /// The number, or how many bytes the text has.
        let bits: UInt64

        init(_ kind: RowCell.Kind, _ bits: UInt64, isPlain: Bool = false) {
            self.kind = kind
            self.isPlain = isPlain
            self.bits = bits
        }
    }

    private static let noColumns = RowLayout([])

    mutating func begin(_ layout: RowLayout) { self.layout = layout }

    mutating func visit(_ row: Span<RowCell>) {
        var size = 0
        for index in row.indices { size += unsafe row[index].bytes.count }
        texts.reserveCapacity(size)
        beginRow()
        for index in row.indices {
            let cell = row[index]
            switch cell.kind {
            case .null: null()
            case .boolean: boolean(cell.isTrue)
            case .integer, .version, .instant: cells.append(Cell(cell.kind, UInt64(bitPattern: cell.whole)))
            case .number: number(cell.number)
            case .decimal, .text: unsafe append(cell.kind, cell.bytes, isPlain: cell.isPlain)
            }
        }
    }

    mutating func beginRow() { cells.reserveCapacity(layout.fields.count) }
    mutating func endRow() {}
    mutating func null() { cells.append(Cell(.null, 0)) }
    mutating func boolean(_ value: Bool) { cells.append(Cell(.boolean, value ? 1 : 0)) }
    mutating func integer(_ value: Int64) { cells.append(Cell(.integer, UInt64(bitPattern: value))) }
    mutating func number(_ value: Double) { cells.append(Cell(.number, value.bitPattern)) }
    mutating func version(_ value: Version) { cells.append(Cell(.version, UInt64(bitPattern: value.counter))) }

    mutating func decimal(_ digits: Span<UInt8>) {
        unsafe digits.withUnsafeBufferPointer { unsafe append(.decimal, $0) }
    }

    mutating func text(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(.text, $0) }
    }

    private mutating func append(
        _ kind: RowCell.Kind, _ bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool = false
    ) {
        unsafe texts.append(contentsOf: bytes)
        cells.append(Cell(kind, UInt64(bytes.count), isPlain: isPlain))
    }

    /// Shows the row to a visitor.
    func visited<Row: RowVisitor>(by visitor: Row) -> Row {
        var row = visitor
        row.begin(layout)
        let (cells, texts) = (cells, texts)
        unsafe texts.withUnsafeBufferPointer { texts in
            var start = 0
            var whole: [RowCell] = []
            whole.reserveCapacity(cells.count)
            for cell in cells {
                switch cell.kind {
                case .decimal, .text:
                    let end = start + Int(cell.bits)
                    unsafe whole.append(
                        RowCell(
                            unsafe: cell.kind, UnsafeBufferPointer(rebasing: texts[start..<end]),
                            isPlain: cell.isPlain))
                    start = end
                case .null: whole.append(.null)
                case .boolean: whole.append(.boolean(cell.bits != 0))
                case .integer: whole.append(.integer(Int64(bitPattern: cell.bits)))
                case .number: whole.append(.number(Double(bitPattern: cell.bits)))
                case .version: whole.append(.version(Int64(bitPattern: cell.bits)))
                case .instant: whole.append(.instant(Instant(milliseconds: Int64(bitPattern: cell.bits))))
                }
            }
            row.visit(whole.span)
        }
        return row
    }
}
