public import OData
public import Tables

/// Counts the rows that match a query's filter, regardless of its page.
public struct CountStatement: Sendable {
    /// The statement; it returns one whole number.
    public let sql: SQLText

    /// - Throws: an error in the query's filter.
    public init(query: TableQuery, table: Table, dialect: any SQLDialect) throws(QueryError) {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT count(*) FROM ")
        builder.identifier(table.name.text)
        try builder.filter(query, of: table)
        sql = builder.build()
    }
}
