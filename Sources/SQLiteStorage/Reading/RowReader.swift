import OData
import TableSQL
import Tables

/// Walks a statement's rows and hands their cells to a visitor.
///
/// A cell that a SQL shell filled with another type than its column's is visited as what it is.
struct RowReader {
    let statement: SQLiteStatement
    let fields: [Field]

    /// Visits the row at which the statement stands.
    func visitRow<Row: RowVisitor>(into row: inout Row) {
        row.beginRow()
        for (index, field) in fields.enumerated() {
            visit(field, at: Int32(index), into: &row)
        }
        row.endRow()
    }

    private func visit<Row: RowVisitor>(_ field: Field, at column: Int32, into row: inout Row) {
        switch statement.kind(at: column) {
        case .null: row.null()
        case .integer: visit(statement.integer(at: column), of: field, into: &row)
        case .number: visit(statement.number(at: column), into: &row)
        case .text, .blob: visitText(of: field, at: column, into: &row)
        }
    }

    private func visit<Row: RowVisitor>(_ whole: Int64, of field: Field, into row: inout Row) {
        switch field {
        case .system(.version): row.version(Version(counter: whole))
        case .system(.deleted): row.boolean(whole != 0)
        case .own(let column) where column.type == .boolean: row.boolean(whole != 0)
        case .own(let column) where column.type == .number: row.number(Double(whole))
        default: row.integer(whole)
        }
    }

    /// SQLite keeps infinities, which no value on the wire can show.
    private func visit<Row: RowVisitor>(_ number: Double, into row: inout Row) {
        if number.isFinite { row.number(number) } else { row.null() }
    }

    private func visitText<Row: RowVisitor>(of field: Field, at column: Int32, into row: inout Row) {
        statement.withBytes(at: column) { bytes in
            if field.isDecimal, DecimalNumber.isOneForm(bytes) {
                row.decimal(bytes)
            } else if field.isDecimal, let decimal = DecimalNumber(bytes, within: SQLiteFunctions.longestDecimal) {
                // A SQL shell wrote it in a form of its own.
                let digits = Array(decimal.text.utf8)
                row.decimal(digits.span)
            } else if field.isDate, !Self.hasWireForm(bytes), let instant = Instant.parse(bytes) {
                var wire: [UInt8] = []
                instant.append(to: &wire)
                row.text(wire.span)
            } else if (try? UTF8Span(validating: bytes)) != nil {
                row.text(bytes)
            } else {
                let repaired = Array(String(decoding: bytes.copy, as: UTF8.self).utf8)
                row.text(repaired.span)
            }
        }
    }

    /// Whether a date needs no rewriting, judged by the places of its marks.
    private static func hasWireForm(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == Instant.wireLength && bytes[10] == UInt8(ascii: "T") && bytes[19] == UInt8(ascii: ".")
            && bytes[23] == UInt8(ascii: "Z")
    }
}

extension Field {
    fileprivate var isDecimal: Bool {
        if case .own(let column) = self { column.type == .decimal } else { false }
    }

    fileprivate var isDate: Bool {
        switch self {
        case .system(.createdAt), .system(.updatedAt): true
        case .system: false
        case .own(let column): column.type == .date
        }
    }
}

extension Span<UInt8> {
    /// The bytes as an array.
    var copy: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return bytes
    }
}
