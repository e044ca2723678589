import ByteText
import Scalars
import TableSQL
import Tables

/// Steps through a statement's rows and passes their cells to a visitor.
///
/// A cell that a SQL shell filled with another type than its column's is visited as what it is.
struct SQLiteRowReader {
    private let statement: SQLiteStatement
    private let columns: [RowLayout.CellKind]
    /// The cells of one row, reused for the next.
    private var cells: [RowCell]

    /// How many bytes of text the last row has, if it was passed on whole.
    var textBytes: Int { cells.reduce(0) { unsafe $0 + $1.bytes.count } }

    init(statement: SQLiteStatement, layout: RowLayout) {
        self.statement = statement
        columns = layout.kinds
        cells = Array(repeating: .null, count: columns.count)
    }

    /// Visits the statement's current row.
    mutating func visitRow<Row: RowVisitor>(into row: inout Row) {
        if takeCells() { return row.visit(cells.span) }
        row.beginRow()
        for (index, column) in columns.enumerated() {
            var cell = RowCell.null
            if Self.take(statement.value(at: Int32(index)), of: column, into: &cell) {
                row.visit(cell)
            } else {
                rewriteText(of: column, at: Int32(index), into: &row)
            }
        }
        row.endRow()
    }

    /// - Returns: false if a cell has to be rewritten.
    private mutating func takeCells() -> Bool {
        let (statement, columns) = (statement, columns)
        return unsafe cells.withUnsafeMutableBufferPointer { cells in
            for index in columns.indices {
                let value = statement.value(at: Int32(truncatingIfNeeded: index))
                guard unsafe Self.take(value, of: columns[index], into: &cells[index]) else { return false }
            }
            return true
        }
    }

    @inline(__always)
    private static func take(
        _ value: SQLiteStatement.Cell, of column: RowLayout.CellKind, into cell: inout RowCell
    ) -> Bool {
        switch value.kind {
        case .null: cell = .null
        case .integer:
            switch column {
            case .version: cell = .version(value.integer)
            case .boolean: cell = .boolean(value.integer != 0)
            case .number: cell = .number(Double(value.integer))
            case .decimal, .date, .other: cell = .integer(value.integer)
            }
        case .number: cell = value.number.isFinite ? .number(value.number) : .null
        case .text, .blob:
            let bytes = unsafe value.bytes
            switch column {
            case .decimal:
                guard unsafe DecimalNumber.isOneForm(bytes.span) else { return false }
                cell = unsafe RowCell(unsafe: .decimal, bytes)
                return true
            case .date: guard unsafe hasWireForm(bytes.span) else { return false }
            case .version, .boolean, .number, .other: break
            }
            guard let text = unsafe RowCell(unsafe: bytes) else { return false }
            cell = text
        }
        return true
    }

    private func rewriteText<Row: RowVisitor>(of kind: RowLayout.CellKind, at column: Int32, into row: inout Row) {
        statement.withBytes(at: column) { bytes in
            if kind == .decimal, let decimal = DecimalNumber(bytes, within: SQLiteFunctions.longestDecimal) {
                // A SQL shell wrote it in a form of its own.
                let digits = Array(decimal.text.utf8)
                row.decimal(digits.span)
            } else if kind == .date, let instant = Instant.parse(bytes) {
                let wire = instant.wireBytes
                row.text(wire.span)
            } else if (try? UTF8Span(validating: bytes)) != nil {
                row.text(bytes)
            } else {
                let repaired = Array(String(decoding: bytes.array, as: UTF8.self).utf8)
                row.text(repaired.span)
            }
        }
    }

    /// Whether a date needs no rewriting, judging by the positions of its separators.
    private static func hasWireForm(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == Instant.wireLength && bytes[10] == UInt8(ascii: "T") && bytes[19] == UInt8(ascii: ".")
            && bytes[23] == UInt8(ascii: "Z")
    }
}
