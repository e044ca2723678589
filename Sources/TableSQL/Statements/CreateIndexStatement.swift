public import Tables

/// Makes an index over some columns, unless it is there.
public struct CreateIndexStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter fields: the columns in the order of the index.
    public init(_ fields: [Field], of table: Identifier, dialect: any SchemaDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("CREATE INDEX IF NOT EXISTS ")
        // Dots, which no name can hold, keep the index (b, c) of table a apart from the index (c) of table a_b.
        builder.identifier((["zumod_\(table.text)"] + fields.map(\.name)).joined(separator: "."))
        builder.append(" ON ")
        builder.identifier(table.text)
        builder.append(" (")
        for (index, field) in fields.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.field(field)
            builder.append(dialect.indexSuffix(of: field))
        }
        builder.append(")")
        sql = builder.build()
    }
}
