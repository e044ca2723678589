import Scalars
import TableSQL
import Tables

/// Passes the cells of a statement's rows to a visitor.
struct RowReader {
    private let fields: [Field]
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
        self.fields = fields
        types = fields.indices.map { CellType(rawValue: result.type(of: $0)) }
        isNumber = fields.map { if case .own(let column) = $0 { column.type == .number } else { false } }
        cells = Array(repeating: .null, count: fields.count)
        versionColumn = fields.firstIndex(of: .system(.version)) ?? -1
    }

    mutating func visitRow<Row: RowVisitor>(_ number: Int, of result: PostgresResult, into row: inout Row) {
        if takeCells(ofRow: number, of: result) { return row.visit(cells.span) }
        row.beginRow()
        for (column, field) in fields.enumerated() {
            if result.isNull(number, column) {
                row.null()
            } else {
                Self.visit(field, types[column], number, column, of: result, into: &row)
            }
        }
        row.endRow()
    }

    /// - Returns: false if a cell has to be converted to text first.
    private mutating func takeCells(ofRow number: Int, of result: PostgresResult) -> Bool {
        for column in types.indices {
            let bytes = unsafe result.bytes(number, column)
            if bytes.isEmpty, result.isNull(number, column) {
                cells[column] = .null
            } else if let cell = unsafe cell(bytes, column) {
                cells[column] = cell
            } else {
                return false
            }
        }
        return true
    }

    @unsafe private func cell(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Int) -> RowCell? {
        switch types[column] {
        case .boolean: return .boolean(unsafe bytes.first != 0)
        case .int8:
            let whole = Int64(bitPattern: unsafe Self.word(bytes))
            if column == versionColumn { return .version(whole) }
            return isNumber[column] ? .number(Double(whole)) : .integer(whole)
        case .float8:
            let value = Double(bitPattern: unsafe Self.word(bytes))
            return value.isFinite ? .number(value) : .null
        case .timestamp, .timestampWithZone:
            return .instant(StoredDate.instant(microseconds: Int64(bitPattern: unsafe Self.word(bytes))))
        case .text:
            return unsafe StoredText.isOriginal(bytes) ? RowCell(unsafe: .text, bytes) : nil
        default: return nil
        }
    }

    /// Eight bytes as a number, most significant first.
    @unsafe private static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard bytes.count == 8 else { return 0 }
        return unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian
    }

    private static func visit<Row: RowVisitor>(
        _ field: Field, _ type: CellType?, _ number: Int, _ column: Int, of result: PostgresResult, into row: inout Row
    ) {
        switch type {
        case .boolean:
            row.boolean(result.boolean(number, column))
        case .int8:
            visit(result.integer(number, column), of: field, into: &row)
        case .int4:
            visit(Int64(Int32(truncatingIfNeeded: result.integer(number, column))), of: field, into: &row)
        case .int2:
            visit(Int64(Int16(truncatingIfNeeded: result.integer(number, column))), of: field, into: &row)
        case .float8:
            visit(Double(bitPattern: result.bits(number, column)), into: &row)
        case .float4:
            visit(Double(Float(bitPattern: UInt32(truncatingIfNeeded: result.bits(number, column)))), into: &row)
        case .numeric:
            guard let decimal = result.withBytes(number, column, { NumericCell.decimal($0) }) else { return row.null() }
            let digits = Array(decimal.text.utf8)
            row.decimal(digits.span)
        case .timestamp, .timestampWithZone:
            visit(StoredDate.instant(microseconds: result.integer(number, column)), into: &row)
        case .date:
            visit(StoredDate.instant(days: Int32(truncatingIfNeeded: result.integer(number, column))), into: &row)
        case .uuid:
            result.withBytes(number, column) { visitUUID($0, into: &row) }
        case .text, .varchar, .character, .name, .json, .day, .timeOfDay, nil:
            result.withBytes(number, column) { bytes in
                if let original = StoredText.original(bytes) { row.text(original.span) } else { row.text(bytes) }
            }
        }
    }

    private static func visit<Row: RowVisitor>(_ whole: Int64, of field: Field, into row: inout Row) {
        switch field {
        case .system(.version): row.version(Version(counter: whole))
        case .own(let column) where column.type == .number: row.number(Double(whole))
        default: row.integer(whole)
        }
    }

    /// PostgreSQL stores infinities, which no value on the wire can express.
    private static func visit<Row: RowVisitor>(_ number: Double, into row: inout Row) {
        if number.isFinite { row.number(number) } else { row.null() }
    }

    private static func visit<Row: RowVisitor>(_ instant: Instant, into row: inout Row) {
        let wire = instant.wireBytes
        row.text(wire.span)
    }

    private static func visitUUID<Row: RowVisitor>(_ bytes: Span<UInt8>, into row: inout Row) {
        var text: [UInt8] = []
        for index in bytes.indices {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            for digit in [bytes[index] >> 4, bytes[index] & 15] { text.append(digit + (digit < 10 ? 48 : 87)) }
        }
        row.text(text.span)
    }
}

extension PostgresResult {
    /// Visits one row.
    func visit<Row: RowVisitor>(_ layout: RowLayout, into row: inout Row) {
        row.begin(layout)
        guard rowCount > 0 else { return }
        var reader = RowReader(layout.fields, of: self)
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
