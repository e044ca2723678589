import OData
import Tables

/// A term of a query's order as SQL.
struct OrderedTerm {
    let operand: Operand
    let isDescending: Bool
    /// How the term's texts compare; nil if it isn't text, or is an id, which compares exactly.
    let rule: TextRule?

    /// Whether the term is a column that is never null.
    var isNeverNull: Bool {
        if case .system = operand.field { true } else { false }
    }

    /// Returns SQL as the right side of a comparison with the term.
    func compared(_ sql: SQLFragment, in dialect: any SQLDialect) -> SQLFragment {
        if operand.type == .decimal { return dialect.compared(decimal: sql) }
        return rule.map { dialect.collated(sql, by: $0) } ?? sql
    }

    /// Returns the sort key of the rows.
    func sorted(in dialect: any SQLDialect) -> SQLFragment {
        sorted(by: operand.sql(within: .primary), in: dialect)
    }

    /// Returns the sort key of rows that have the term's value in another expression.
    func sorted(by sql: SQLFragment, in dialect: any SQLDialect) -> SQLFragment {
        dialect.sorted(compared(sql, in: dialect), isDescending: isDescending, isNeverNull: isNeverNull)
    }

    /// Returns the terms of a query's order, with the id as the last one, so that the order is total.
    static func all(
        of query: TableQuery, in table: Table, dialect: any SQLDialect
    ) throws(QueryError) -> [OrderedTerm] {
        let resolver = ExpressionResolver(query, of: table, dialect: dialect, option: "$orderby")
        var terms: [OrderedTerm] = []
        for term in query.order {
            let operand = resolver.definite(try resolver.resolve(term.expression))
            try resolver.checkDepth(operand)
            terms.append(
                OrderedTerm(
                    operand: operand, isDescending: term.isDescending,
                    rule: rule(of: operand, for: query, dialect: dialect)))
            if operand.field == .system(.id) { return terms }
        }
        let id = Operand(.system(.id), of: table, at: 0)
        return terms + [OrderedTerm(operand: id, isDescending: false, rule: nil)]
    }

    private static func rule(of operand: Operand, for query: TableQuery, dialect: any SQLDialect) -> TextRule? {
        guard operand.type == .text else { return nil }
        if query.textComparison == .ordinal { return .exact }
        return if case .own(let column) = operand.field { dialect.orderRule(of: column) } else { .ordered }
    }
}
