public import Tables

/// Creates a table with its system columns and its own.
public struct CreateTableStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter table: the table with all its columns.
    public init(_ table: Table, dialect: any SchemaDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("CREATE TABLE ")
        builder.identifier(table.name.text)
        builder.append(" (")
        for (index, field) in table.fields.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.field(field)
            builder.append(" ")
            switch field {
            case .system(let column): builder.append(dialect.definition(of: column, rules: table.rules))
            case .own(let column): builder.append(dialect.typeName(of: column.type))
            }
        }
        builder.append(")")
        sql = builder.build()
    }
}
