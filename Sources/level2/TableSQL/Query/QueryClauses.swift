import OData
import Scalars
import Tables

extension SQLBuilder {
    /// Appends the WHERE clause that picks the rows of a query: its filter and scope, and no tombstones unless they are
    /// asked for.
    ///
    /// - Parameters:
    ///   - place: where the page begins; nil if it begins with the first row.
    ///   - stamp: the stamp of the one row that is left out; nil if none is.
    ///   - others: additional conditions of the rows.
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
    /// The conditions of the query's rows, on all pages.
    fileprivate func conditions(in table: Table, dialect: any SQLDialect) throws(QueryError) -> [Operand] {
        var conditions: [Operand] = []
        // First, so that the databases evaluate a client's words for rows in scope only, as far as they keep the order.
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
    /// What is true of all rows but one: the first, by id, of those that fulfil some conditions and bear a stamp.
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
