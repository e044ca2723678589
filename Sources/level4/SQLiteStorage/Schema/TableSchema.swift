import TableSQL
import Tables

extension SQLiteConnection {
    /// Returns a schema without columns if the name is a view's: SQLite answers an `UPDATE … RETURNING` of a view with
    /// the row as it would be, and writes nothing.
    func schema(of table: Identifier) throws(TableError) -> TableSchema? {
        let found = try columns(of: table.text)
        if found.isEmpty, try !hasTable(table.text) { return nil }
        var schema = TableSchema()
        for (name, type) in found {
            let system = SystemColumn(named: name)
            // SQLite's names are the same in any case.
            schema.columnNames.append(system?.rawValue ?? name)
            if let system {
                schema.systemColumns.insert(system)
                if system == .id { schema.hasIntegerID = TableSchema.columnType(declared: type) == .integer }
            } else if let identifier = Identifier(name) {
                schema.columns.append(Column(identifier, TableSchema.columnType(declared: type)))
            }
        }
        return schema
    }
}

extension TableSchema {
    /// Returns the type of a column by its declaration; by SQLite's affinity rules if zumod didn't create it.
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
