public import OData
public import Tables

/// Counts the rows that a query's filter matches, without regard to its page.
public struct CountStatement: Sendable {
    /// The statement; its result is one whole number.
    public let sql: SQLText

    /// - Throws: what is wrong with the query's filter.
    public init(query: TableQuery, table: Table, dialect: any SQLDialect) throws(QueryError) {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT count(*) FROM ")
        builder.identifier(table.name.text)
        try builder.filter(query, of: table)
        sql = builder.build()
    }
}
