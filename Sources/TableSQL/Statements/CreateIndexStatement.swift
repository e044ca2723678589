public import Tables

/// Makes an index over some columns, unless it is there.
public struct CreateIndexStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The index's name.
    public let name: String

    /// - Parameter fields: the columns in the order of the index.
    public init(_ fields: [Field], of table: Identifier, dialect: any SchemaDialect) {
        // Dots, which no name can hold, keep the index (b, c) of table a apart from the index (c) of table a_b.
        name = (["zumod_\(table.text)"] + fields.map(\.name)).joined(separator: ".")
        var builder = SQLBuilder(dialect)
        builder.append("CREATE INDEX IF NOT EXISTS ")
        builder.identifier(name)
        builder.append(" ON ")
        builder.identifier(table.text)
        builder.append(" (")
        for (index, field) in fields.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.append(dialect.indexPrefix(of: field))
            builder.field(field)
            builder.append(dialect.indexSuffix(of: field))
        }
        builder.append(")")
        sql = builder.build()
    }
}
