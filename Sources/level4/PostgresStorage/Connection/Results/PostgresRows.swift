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
        (0..<rowCount).map { row in SQLRow((0..<columnCount).map { cell(row, $0) }) }
    }

    private func cell(_ row: Int, _ column: Int) -> Value {
        if isNull(row, column) { return .null }
        return switch CellType(rawValue: type(of: column)) {
        case .boolean: .integer(boolean(row, column) ? 1 : 0)
        case .int8: .integer(integer(row, column))
        // An id of another program's.
        case .int4: .integer(Int64(Int32(truncatingIfNeeded: integer(row, column))))
        case .timestamp, .timestampWithZone: .date(StoredDate.instant(microseconds: integer(row, column)))
        default: .text(originalText(row, column))
        }
    }

    /// A `text` cell as it was before it was stored.
    private func originalText(_ row: Int, _ column: Int) -> String {
        withBytes(row, column) { StoredText.original($0) }.map { String(decoding: $0, as: UTF8.self) }
            ?? string(row, column)
    }
}
