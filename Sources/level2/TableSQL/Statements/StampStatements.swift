public import Scalars
public import Tables

/// Reads the stamp of the row with an id.
public struct FindStampStatement: Sendable {
    /// The statement; its result is one date, or no row.
    public let sql: SQLText

    /// - Parameter id: an id of the table's kind.
    public init(_ id: RowID, in table: Table, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT \"updatedAt\" FROM ")
        builder.identifier(table.name.text)
        builder.append(" WHERE \"id\" = ")
        builder.bind(id.value)
        sql = builder.build()
    }
}

/// Reads the stamps that rows have, from one on and in order.
public struct ListStampsStatement: Sendable {
    /// The statement; its result is one date a row.
    public let sql: SQLText

    /// - Parameter isExact: only the first stamp itself.
    public init(from first: Instant, isExact: Bool, limit: Int, in table: Table, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT \"updatedAt\" FROM ")
        builder.identifier(table.name.text)
        builder.append(isExact ? " WHERE \"updatedAt\" = " : " WHERE \"updatedAt\" >= ")
        builder.bind(.date(first))
        builder.append(isExact ? " LIMIT " : " ORDER BY \"updatedAt\" LIMIT ")
        builder.bind(.integer(Int64(limit)))
        sql = builder.build()
    }
}
