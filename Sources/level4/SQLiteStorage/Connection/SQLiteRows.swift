import TableSQL
import Tables

extension SQLiteConnection: SQLConnection {
    var dialect: any SchemaDialect { SQLiteDialect() }

    static var migrations: [Migration] { Migration.sqlite }

    func rows(of statements: [SQLText]) throws(TableError) -> [[SQLRow]] {
        try statements.map { statement throws(TableError) in
            var rows: [SQLRow] = []
            try query(statement.text, statement.bindings) { rows.append($0.row) }
            return rows
        }
    }

    /// Migrates in a separate transaction, as another process may be opening the same file.
    func migrateAlone() throws(TableError) {
        try run("BEGIN IMMEDIATE")
        do throws(TableError) {
            try migrate()
            try run("COMMIT")
        } catch {
            if isInTransaction { try? run("ROLLBACK") }
            throw error
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
