public import OData
public import Tables

/// Writes a new row and answers it; answers no row where the id is taken, or the row may not be written.
public struct InsertStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter scope: the scope that the row has to be writable in; nil for any row.
    /// - Throws: what is wrong with the scope.
    public init(
        _ row: NewRow, scope: RowScope? = nil, into table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO ")
        builder.identifier(table.name.text)
        builder.append(" (")
        builder.fields(row.cells.map(\.field))
        builder.append(scope == nil ? ") VALUES (" : ") SELECT ")
        for (index, cell) in row.cells.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.bind(cell.value)
        }
        if let scope {
            builder.append(" WHERE ")
            builder.append(try row.isWritable(in: scope, of: table, dialect: dialect).sql)
        } else {
            builder.append(")")
        }
        builder.append(" ON CONFLICT (\"id\") DO NOTHING")
        builder.returning(table)
        sql = builder.build()
    }
}
