import ByteText
import TableSQL
import Tables

extension PostgresFailure: SQLFailure {}

extension PostgresConnection: SQLConnection {
    var dialect: any SchemaDialect { PostgresDialect() }

    static var migrations: [Migration] { Migration.postgres }

    func rows(of statements: [SQLText]) throws(PostgresFailure) -> [[SQLRow]] { try run(statements).map(\.rows) }
}

extension PostgresResult {
    var rows: [SQLRow] {
        (0..<rowCount).map { row in SQLRow((0..<columnCount).map { value(row, $0) }) }
    }

    /// Returns a cell by the database's type. Numbers that aren't finite count as null.
    func value(_ row: Int, _ column: Int) -> Value {
        if isNull(row, column) { return .null }
        return switch CellType(rawValue: type(of: column)) {
        case .boolean: .boolean(boolean(row, column))
        case .int8: .integer(integer(row, column))
        case .int4: .integer(Int64(Int32(truncatingIfNeeded: integer(row, column))))
        case .int2: .integer(Int64(Int16(truncatingIfNeeded: integer(row, column))))
        case .float8: finite(Double(bitPattern: bits(row, column)))
        case .float4: finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(row, column)))))
        case .numeric: withBytes(row, column) { NumericCell.decimal($0) }.map(Value.decimal) ?? .null
        case .timestamp, .timestampWithZone: .date(StoredDate.instant(microseconds: integer(row, column)))
        case .date: .date(StoredDate.instant(days: Int32(truncatingIfNeeded: integer(row, column))))
        case .uuid: .text(withBytes(row, column) { TextForm.hyphenated($0) })
        case .text, .varchar, .character, .name, .json, .day, .timeOfDay, nil:
            .text(withBytes(row, column) { String(decoding: StoredText.original($0) ?? $0.array, as: UTF8.self) })
        }
    }

    private func finite(_ number: Double) -> Value { number.isFinite ? .number(number) : .null }
}
