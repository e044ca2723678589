public import OData
public import Tables

/// Reads a page of the rows that a query asks for, and one row further where there is one.
public struct SelectStatement: Sendable {
    /// The statement, with one row more than the query's limit.
    public let sql: SQLText
    /// The columns of the result, in order.
    public let fields: [Field]

    /// - Throws: what is wrong with the query's filter or order, by `$filter` and `$orderby`.
    public init(query: TableQuery, table: Table, dialect: any SQLDialect) throws(QueryError) {
        fields = query.select ?? table.fields
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(fields)
        builder.append(" FROM ")
        builder.identifier(table.name.text)
        try builder.filter(query, of: table)
        try builder.order(query, of: table)
        builder.append(" LIMIT ")
        builder.bind(.integer(Int64(query.limit == .max ? query.limit : query.limit + 1)))
        builder.append(" OFFSET ")
        builder.bind(.integer(Int64(query.skip)))
        sql = builder.build()
    }
}
