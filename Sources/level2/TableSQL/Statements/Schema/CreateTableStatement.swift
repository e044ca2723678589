public import Tables

/// Creates a table with its system columns and its own.
public struct CreateTableStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter table: the table with all its columns.
    public init(_ table: Table, dialect: any SchemaDialect) {
        let columns = table.fields.map { field -> SQLFragment in
            let definition =
                switch field {
                case .system(let column): dialect.definition(of: column, rules: table.rules)
                case .own(let column): dialect.typeName(of: column.type)
                }
            return "\(SQLFragment(setting: field)) \(SQLFragment(stringLiteral: definition))"
        }
        sql = SQLText("CREATE TABLE \(table.name) (\(columns.joined()))", dialect)
    }
}
