import OData
import Tables

/// Inserts a row and returns it; returns no row if the id is taken, or the row may not be written.
struct InsertStatement {
    let sql: SQLText

    /// - Parameter scope: the scope in which the row must be writable; nil for none.
    /// - Throws: an error in the scope.
    init(
        _ row: NewRow, scope: RowScope? = nil, into table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        guard scope == nil else {
            var builder = SQLBuilder(dialect)
            try Self.build(row, scope: scope, into: table, &builder)
            sql = builder.build()
            return
        }
        var shape = WriteShape(table, dialect: dialect)
        shape.append(UInt8(ascii: "I"))
        for cell in row.cells { shape.append(cell.field.name, cell.value) }
        sql = try WriteTexts.shared.statement(shape, of: table, dialect: dialect) { builder throws(QueryError) in
            try Self.build(row, scope: nil, into: table, &builder)
        }
    }

    private static func build(
        _ row: NewRow, scope: RowScope?, into table: Table, _ builder: inout SQLBuilder
    ) throws(QueryError) {
        builder.append("INSERT INTO ")
        builder.identifier(table.name.text)
        builder.append(" (")
        for (index, cell) in row.cells.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.field(cell.field)
        }
        builder.append(scope == nil ? ") VALUES (" : ") SELECT ")
        for (index, cell) in row.cells.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.bind(cell.value, to: cell.field)
        }
        if let scope {
            builder.append(" WHERE ")
            builder.append(try row.isWritable(in: scope, of: table, dialect: builder.dialect).sql)
        } else {
            builder.append(")")
        }
        builder.append(" ON CONFLICT (\"id\") DO NOTHING")
        builder.returning(table)
    }
}
