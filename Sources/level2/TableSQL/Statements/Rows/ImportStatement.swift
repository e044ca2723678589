public import Tables

/// Writes a whole row as it was elsewhere, and returns nothing.
public struct ImportStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameters:
    ///   - renewal: the row's version and stamp.
    ///   - table: the table with all columns that the row sets; its others become null.
    public init(_ row: ImportRow, renewal: VersionBump, into table: Table, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO ")
        builder.identifier(table.name.text)
        builder.append(" (\"id\", \"createdAt\", \"updatedAt\", \"version\", \"deleted\"")
        for assignment in row.assignments {
            builder.append(", ")
            builder.identifier(assignment.column.name.text)
        }
        builder.append(") VALUES (")
        builder.bind(row.id.value)
        let system: [Value] = [
            .date(row.createdAt ?? renewal.stamp), .date(renewal.stamp), .integer(renewal.version.counter),
            .boolean(row.isDeleted),
        ]
        for value in system + row.assignments.map(\.value) {
            builder.append(", ")
            builder.bind(value)
        }
        builder.append(")")
        sql = builder.build()
    }
}
