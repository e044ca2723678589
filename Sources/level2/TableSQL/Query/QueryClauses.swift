import OData
import Scalars
import Tables

extension SQLBuilder {
    /// Appends the WHERE clause that selects a query's rows: its filter and scope, without tombstones unless they are
    /// requested.
    ///
    /// - Parameters:
    ///   - place: where the page begins; nil if it begins with the first row.
    ///   - stamp: the stamp of the one row that is left out; nil for none.
    ///   - others: additional conditions.
    mutating func filter(
        _ query: TableQuery, of table: Table, behind place: KeysetCondition? = nil, besides stamp: Instant? = nil,
        beside others: [Operand] = []
    ) throws(QueryError) {
        var conditions = try query.conditions(in: table, dialect: dialect)
        if let stamp {
            let rest = Operand.notFirst(of: conditions, at: stamp, in: table)
            let resolver = ExpressionResolver(query, of: table, dialect: dialect, option: "$filter")
            try resolver.checkDepth(rest)
            conditions.append(rest)
        }
        conditions = (place?.conditions ?? []) + others + conditions
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

extension TableQuery {
    /// Returns the conditions for the query's rows, on all pages.
    fileprivate func conditions(in table: Table, dialect: any SQLDialect) throws(QueryError) -> [Operand] {
        var conditions: [Operand] = []
        // The scope comes first, so that databases that keep the order evaluate a client's filter only for rows in it.
        if let scope { conditions.append(try scope.condition(in: table, dialect: dialect)) }
        let bound = CalculationBound(self, in: table)
        if let short = try bound.condition(scope: conditions.first, dialect: dialect) { conditions.append(short) }
        if let filter {
            let resolver = ExpressionResolver(self, of: table, dialect: dialect, option: "$filter")
            conditions.append(try resolver.condition(filter))
        }
        if table.rules.softDelete && !includeDeleted {
            let deleted = dialect.unindexed(SQLFragment(.system(.deleted)))
            let isLive: SQLFragment = "\(deleted) = \(SQLFragment(.boolean(false)))"
            conditions.append(Operand(isLive, .boolean, .comparison, at: 0))
        }
        return conditions
    }
}

extension Operand {
    /// Returns the condition for all rows except one: the first, by id, of those with a stamp that match conditions.
    fileprivate static func notFirst(of conditions: [Operand], at stamp: Instant, in table: Table) -> Operand {
        let id = SQLFragment(.system(.id))
        let isStamped: SQLFragment = "\(SQLFragment(.system(.updatedAt))) = \(SQLFragment(.date(stamp)))"
        var all = isStamped
        for condition in conditions { all = "\(all) AND \(condition.sql(within: .and))" }
        let first: SQLFragment = "SELECT \(id) FROM \(SQLFragment(table.name)) WHERE \(all) ORDER BY \(id) LIMIT 1"
        return Operand("NOT (\(isStamped) AND \(id) = (\(first)))", .boolean, .not, at: 0)
    }
}

extension ExpressionResolver {
    init(_ query: TableQuery, of table: Table, dialect: any SQLDialect, option: String) {
        self.init(
            table: table, comparison: query.textComparison, nulls: query.nullComparison, dialect: dialect,
            option: option, present: query.present)
    }
}
