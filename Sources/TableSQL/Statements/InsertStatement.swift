public import Tables

/// Writes a new row and answers it; answers no row where the id is taken.
public struct InsertStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter id: nil where the database numbers the row.
    public init(
        _ assignments: [RowChanges.Assignment], id: RowID?, renewal: Renewal, into table: Table,
        dialect: any SQLDialect
    ) {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO ")
        builder.identifier(table.name.text)
        builder.append(id == nil ? " (" : " (\"id\", ")
        builder.append("\"createdAt\", \"updatedAt\", \"version\", \"deleted\"")
        for assignment in assignments {
            builder.append(", ")
            builder.identifier(assignment.column.name.text)
        }
        builder.append(") VALUES (")
        if let id {
            builder.bind(id.value)
            builder.append(", ")
        }
        builder.bind(.date(renewal.stamp))
        builder.append(", ")
        builder.bind(.date(renewal.stamp))
        builder.append(", ")
        builder.bind(.integer(renewal.version.counter))
        builder.append(", ")
        builder.bind(.boolean(false))
        for assignment in assignments {
            builder.append(", ")
            builder.bind(assignment.value)
        }
        builder.append(") ON CONFLICT (\"id\") DO NOTHING")
        builder.returning(table)
        sql = builder.build()
    }
}
