import OData
import Tables

extension SQLBuilder {
    /// Appends the WHERE clause that picks the rows of a query: its filter, and no tombstones unless they are asked for.
    mutating func filter(_ query: TableQuery, of table: Table) throws(QueryError) {
        let leavesOutTombstones = table.rules.softDelete && !query.includeDeleted
        if let filter = query.filter {
            let condition = try resolver(query, of: table, option: "$filter").condition(filter)
            append(" WHERE ")
            append(leavesOutTombstones ? condition.sql(within: .and) : condition.sql)
        }
        if leavesOutTombstones {
            append(query.filter == nil ? " WHERE " : " AND ")
            field(.system(.deleted))
            append(" = ")
            bind(.boolean(false))
        }
    }

    /// Appends the ORDER BY clause. The id comes last, so that the order is total and a page begins where another ended.
    mutating func order(_ query: TableQuery, of table: Table) throws(QueryError) {
        let resolver = resolver(query, of: table, option: "$orderby")
        var hasID = false
        append(" ORDER BY ")
        for term in query.order where !hasID {
            let operand = try resolver.resolve(term.expression)
            try resolver.checkDepth(operand)
            var sql = operand.sql(within: .primary)
            if operand.type == .text {
                sql = dialect.collated(sql, by: query.textComparison == .ordinal ? .exact : .ignoringCase)
            }
            var isNeverNull = false
            if case .system = operand.field { isNeverNull = true }
            append(dialect.sorted(sql, isDescending: term.isDescending, isNeverNull: isNeverNull))
            hasID = operand.field == .system(.id)
            if !hasID { append(", ") }
        }
        if !hasID { field(.system(.id)) }
    }

    private func resolver(_ query: TableQuery, of table: Table, option: String) -> ExpressionResolver {
        ExpressionResolver(table: table, comparison: query.textComparison, dialect: dialect, option: option)
    }
}
