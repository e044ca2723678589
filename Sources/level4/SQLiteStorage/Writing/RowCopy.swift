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
    }

    private static let noColumns = RowLayout([])

    mutating func begin(_ layout: RowLayout) { self.layout = layout }

    mutating func visit(_ row: Span<RowCell>) {
        var size = 0
        for index in row.indices { size += unsafe row[index].bytes.count }
        texts.reserveCapacity(size)
        beginRow()
        for index in row.indices { visit(row[index]) }
    }

    mutating func beginRow() { cells.reserveCapacity(layout.fields.count) }
    mutating func endRow() {}

    mutating func visit(_ cell: RowCell) {
        var bits = cell.bits
        if cell.kind == .decimal || cell.kind == .text {
            let bytes = unsafe cell.bytes
            unsafe texts.append(contentsOf: bytes)
            bits = UInt64(bytes.count)
        }
        cells.append(Cell(kind: cell.kind, isPlain: cell.isPlain, bits: bits))
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
                guard cell.kind == .decimal || cell.kind == .text else {
                    whole.append(RowCell(cell.kind, cell.bits))
                    continue
                }
                let end = start + Int(cell.bits)
                unsafe whole.append(
                    RowCell(
                        unsafe: cell.kind, UnsafeBufferPointer(rebasing: texts[start..<end]), isPlain: cell.isPlain))
                start = end
            }
            row.visit(whole.span)
        }
        return row
    }
}
