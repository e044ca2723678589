import TableSQL
import Tables

extension TableSchema {
    /// Without columns where a view has the name: SQLite answers an `UPDATE … RETURNING` of one with the row as it would be,
    /// and writes nothing.
    /// - Returns: nil where there is no such table.
    init?(of table: Identifier, in connection: SQLiteConnection) throws(TableError) {
        let found = try connection.columns(of: table.text)
        if found.isEmpty, try !connection.hasTable(table.text) { return nil }
        self.init()
        for (name, type) in found {
            if let system = SystemColumn(named: name) {
                systemColumns.insert(system)
                if system == .id { hasIntegerID = Self.columnType(declared: type) == .integer }
            } else if let identifier = Identifier(name) {
                columns.append(Column(identifier, Self.columnType(declared: type)))
            }
        }
    }

    /// The type of a column by its declaration; by SQLite's rules of affinity where zumod didn't make it.
    static func columnType(declared: String) -> ColumnType {
        let dialect = SQLiteDialect()
        let declared = declared.uppercased()
        if let exact = ColumnType.allCases.first(where: { dialect.typeName(of: $0) == declared }) { return exact }
        if declared.contains("INT") { return .integer }
        if ["CHAR", "CLOB", "TEXT"].contains(where: declared.contains) { return .string }
        if ["REAL", "FLOA", "DOUB", "NUM", "DEC"].contains(where: declared.contains) { return .number }
        return .string
    }
}
