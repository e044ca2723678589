public import Tables

/// Sets columns of a live row and answers it; answers no row where it is missing, dead or of another version.
public struct UpdateStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter version: the version that the row has to have; nil for any.
    public init(
        _ id: RowID, set assignments: [RowChanges.Assignment], renewal: Renewal, ifVersion version: Version?,
        in table: Table, dialect: any SQLDialect
    ) {
        var builder = SQLBuilder(dialect)
        builder.renew(table, with: renewal)
        for assignment in assignments {
            builder.append(", ")
            builder.identifier(assignment.column.name.text)
            builder.append(" = ")
            builder.bind(assignment.value)
        }
        builder.rowCondition(id, version: version, liveOnly: table.rules.softDelete)
        builder.returning(table)
        sql = builder.build()
    }
}
