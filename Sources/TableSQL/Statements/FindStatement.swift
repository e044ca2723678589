public import Tables

/// Reads one row by its id.
public struct FindStatement: Sendable {
    public let sql: SQLText
    /// The columns of the result, in order.
    public let fields: [Field]

    /// - Parameter select: the columns to read; nil for all.
    public init(
        _ id: RowID, in table: Table, select: [Field]? = nil, includeDeleted: Bool, dialect: any SQLDialect
    ) {
        fields = select ?? table.fields
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(fields)
        builder.append(" FROM ")
        builder.identifier(table.name.text)
        builder.rowCondition(id, liveOnly: table.rules.softDelete && !includeDeleted)
        sql = builder.build()
    }
}
