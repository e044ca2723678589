import Scalars
import TableSQL
import Tables

/// Passes the cells of a statement's rows to a visitor.
struct PostgresRowReader {
    private let types: [CellType?]
    private let isNumber: [Bool]
    /// -1 if it isn't among the columns.
    private let versionColumn: Int
    /// The cells of one row, reused for the next.
    private var cells: [RowCell]

    /// - Parameters:
    ///   - fields: the first columns of the statement's rows.
    ///   - result: one of its results, which all have the same columns.
    init(_ fields: [Field], of result: PostgresResult) {
        types = fields.indices.map { CellType(rawValue: result.type(of: $0)) }
        isNumber = fields.map { if case .own(let column) = $0 { column.type == .number } else { false } }
        cells = Array(repeating: .null, count: fields.count)
        versionColumn = fields.firstIndex(of: .system(.version)) ?? -1
    }

    mutating func visitRow<Row: RowVisitor>(_ number: Int, of result: PostgresResult, into row: inout Row) {
        if takeCells(ofRow: number, of: result) { return row.visit(cells.span) }
        row.beginRow()
        for column in types.indices {
            if let cell = cell(result, number, column) {
                row.visit(cell)
            } else {
                Self.visit(result.value(number, column), into: &row)
            }
        }
        row.endRow()
    }

    /// - Returns: false if a cell has to be converted to text first.
    private mutating func takeCells(ofRow number: Int, of result: PostgresResult) -> Bool {
        for column in types.indices {
            guard let cell = cell(result, number, column) else { return false }
            cells[column] = cell
        }
        return true
    }

    /// - Returns: nil if the cell has to be converted to text first.
    @inline(__always)
    private func cell(_ result: PostgresResult, _ number: Int, _ column: Int) -> RowCell? {
        let bytes = unsafe result.bytes(number, column)
        if bytes.isEmpty, result.isNull(number, column) { return .null }
        switch types[column] {
        case .boolean: return .boolean(unsafe bytes.first != 0)
        case .int8: return whole(Int64(bitPattern: unsafe Self.word(bytes)), column)
        case .int4: return whole(Int64(Int32(truncatingIfNeeded: result.integer(number, column))), column)
        case .int2: return whole(Int64(Int16(truncatingIfNeeded: result.integer(number, column))), column)
        case .float8: return Self.finite(Double(bitPattern: unsafe Self.word(bytes)))
        case .float4:
            return Self.finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: result.bits(number, column)))))
        case .timestamp, .timestampWithZone:
            return .instant(StoredDate.instant(microseconds: Int64(bitPattern: unsafe Self.word(bytes))))
        case .date:
            return .instant(StoredDate.instant(days: Int32(truncatingIfNeeded: result.integer(number, column))))
        case .text, .varchar, .character, .name, .json, .day, .timeOfDay, nil:
            return unsafe StoredText.isOriginal(bytes) ? RowCell(unsafe: .text, bytes) : nil
        case .numeric, .uuid: return nil
        }
    }

    @inline(__always)
    private func whole(_ whole: Int64, _ column: Int) -> RowCell {
        if column == versionColumn { return .version(whole) }
        return isNumber[column] ? .number(Double(whole)) : .integer(whole)
    }

    /// PostgreSQL stores infinities, which no value on the wire can express.
    @inline(__always)
    private static func finite(_ number: Double) -> RowCell { number.isFinite ? .number(number) : .null }

    /// Eight bytes as a number, most significant first.
    @unsafe private static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard bytes.count == 8 else { return 0 }
        return unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian
    }

    /// Visits what was converted.
    private static func visit<Row: RowVisitor>(_ value: Value, into row: inout Row) {
        switch value {
        case .decimal(let decimal):
            let digits = Array(decimal.text.utf8)
            row.decimal(digits.span)
        case .text(let text):
            let bytes = Array(text.utf8)
            row.text(bytes.span)
        // A decimal that is no number.
        case .null, .boolean, .integer, .number, .date: row.null()
        }
    }
}

extension PostgresResult {
    /// Visits one row.
    func visit<Row: RowVisitor>(_ layout: RowLayout, into row: inout Row) {
        row.begin(layout)
        guard rowCount > 0 else { return }
        var reader = PostgresRowReader(layout.fields, of: self)
        reader.visitRow(0, of: self, into: &row)
    }

    /// What was found in the first row, if the result has all of its table's fields; nil if there is no row.
    /// - Parameter telling: what the columns tell that follow them.
    func rowState(of table: Table, telling: RowStateColumns) -> RowState? {
        guard rowCount > 0 else { return nil }
        return telling.state(version: version, isDeleted: boolean(0, Self.position(of: .deleted))) {
            boolean(0, table.fields.count + $0)
        }
    }

    /// The version of the first row, if the result has all of its table's fields.
    var version: Version { Version(counter: integer(0, Self.position(of: .version))) }

    /// Where a system column stands among a table's fields.
    private static func position(of column: SystemColumn) -> Int {
        SystemColumn.allCases.firstIndex(of: column) ?? 0
    }
}
