import OData
import Tables

extension SQLBuilder {
    /// Appends the WHERE clause that picks the rows of a query: its filter and scope, and no tombstones unless they are
    /// asked for.
    ///
    /// - Parameter place: where the page begins; nil where it begins with the first row.
    mutating func filter(
        _ query: TableQuery, of table: Table, behind place: PlaceCondition? = nil
    ) throws(QueryError) {
        var conditions = place?.conditions ?? []
        if let filter = query.filter {
            let resolver = ExpressionResolver(query, of: table, dialect: dialect, option: "$filter")
            conditions.append(try resolver.condition(filter))
        }
        if table.rules.softDelete && !query.includeDeleted {
            let deleted = dialect.unindexed(SQLFragment(.system(.deleted)))
            let isLive: SQLFragment = "\(deleted) = \(SQLFragment(.boolean(false)))"
            conditions.append(Operand(isLive, .boolean, .comparison, at: 0))
        }
        if let scope = query.scope { conditions.append(try scope.condition(in: table, dialect: dialect)) }
        for (index, condition) in conditions.enumerated() {
            append(index == 0 ? " WHERE " : " AND ")
            append(conditions.count == 1 ? condition.sql : condition.sql(within: .and))
        }
    }

    /// Appends the ORDER BY clause.
    mutating func order(by terms: [OrderedTerm]) {
        append(" ORDER BY ")
        for (index, term) in terms.enumerated() {
            if index > 0 { append(", ") }
            append(term.sorted(in: dialect))
        }
    }
}

extension ExpressionResolver {
    init(_ query: TableQuery, of table: Table, dialect: any SQLDialect, option: String) {
        self.init(
            table: table, comparison: query.textComparison, nulls: query.nullComparison, dialect: dialect,
            option: option)
    }
}
