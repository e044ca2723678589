public import Tables

/// Adds columns, null in every row. SQLite adds one at a time.
public struct AddColumnsStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter columns: columns that the table doesn't have, at least one.
    public init(_ columns: [Column], to table: Identifier, dialect: any SchemaDialect) {
        let added = columns.map { column -> SQLFragment in
            let name = SQLFragment(setting: .own(column))
            return "ADD COLUMN \(name) \(SQLFragment(stringLiteral: dialect.typeName(of: column.type)))"
        }
        sql = SQLText("ALTER TABLE \(table) \(added.joined())", dialect)
    }
}

/// Counts columns that clients add to a table, in its row of `zumod_tables`.
public enum ClientColumnsStatement {
    /// Returns the statement that adds to the count; it returns no row, and adds nothing, if that exceeds the limit.
    public static func take(_ count: Int, of table: Identifier, limit: Int) -> SQLFragment {
        """
        UPDATE zumod_tables SET client_columns = client_columns + \(.integer(Int64(count))) \
        WHERE name = \(.text(table.text)) AND client_columns <= \(.integer(Int64(limit) - Int64(count))) \
        RETURNING client_columns
        """
    }
}
