import TableSQL
import Tables

extension SQLiteConnection: SQLConnection {
    var dialect: any SchemaDialect { SQLiteDialect() }

    static let migrations = Migration.sqlite.map(\.name)

    func rows(of statements: [SQLText]) throws(TableError) -> [[SQLRow]] {
        try statements.map { statement throws(TableError) in
            var rows: [SQLRow] = []
            try query(statement.text, statement.bindings) { rows.append($0.row) }
            return rows
        }
    }
}

extension SQLiteStatement {
    fileprivate var row: SQLRow {
        SQLRow(
            (0..<columnCount).map {
                switch kind(at: $0) {
                case .null: .null
                case .integer: .integer(integer(at: $0))
                default: .text(string(at: $0))
                }
            })
    }
}
