public import OData
public import Tables

/// Writes a new row and answers it; answers no row where the id is taken, or the row may not be written.
public struct InsertStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameters:
    ///   - id: nil where the database numbers the row.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    ///   - scope: the scope that the row has to be writable in; its id is null to it where the database numbers the row.
    /// - Throws: what is wrong with the scope.
    public init(
        _ assignments: [RowChanges.Assignment], id: RowID?, deleted: Bool = false, renewal: Renewal,
        scope: RowScope? = nil, into table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        let stamp = Value.date(renewal.stamp)
        var cells: [(field: Field, value: Value)] = [
            (.system(.createdAt), stamp), (.system(.updatedAt), stamp),
            (.system(.version), .integer(renewal.version.counter)),
            (.system(.deleted), .boolean(deleted && table.rules.softDelete)),
        ]
        if let id { cells.insert((.system(.id), id.value), at: 0) }
        cells += assignments.map { (.own($0.column), $0.value) }
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO ")
        builder.identifier(table.name.text)
        builder.append(" (")
        builder.fields(cells.map(\.field))
        builder.append(scope == nil ? ") VALUES (" : ") SELECT ")
        for (index, cell) in cells.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.bind(cell.value)
        }
        if let scope {
            var given = Dictionary(table.fields.map { ($0, Value.null) }) { first, _ in first }
            for cell in cells { given[cell.field] = cell.value }
            builder.append(" WHERE ")
            builder.append(try scope.writeCondition(in: table, given: given, dialect: dialect).sql)
        } else {
            builder.append(")")
        }
        builder.append(" ON CONFLICT (\"id\") DO NOTHING")
        builder.returning(table)
        sql = builder.build()
    }
}
