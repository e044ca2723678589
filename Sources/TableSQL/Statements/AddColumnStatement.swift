public import Tables

/// Adds one column, null in every row.
public struct AddColumnStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter column: a column that the table doesn't have.
    public init(_ column: Column, to table: Identifier, dialect: any SchemaDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("ALTER TABLE ")
        builder.identifier(table.text)
        builder.append(" ADD COLUMN ")
        builder.identifier(column.name.text)
        builder.append(" ")
        builder.append(dialect.typeName(of: column.type))
        sql = builder.build()
    }
}
