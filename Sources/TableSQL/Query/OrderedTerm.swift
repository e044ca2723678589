import OData
import Tables

/// A term of a query's order as SQL.
struct OrderedTerm {
    let operand: Operand
    let isDescending: Bool
    /// How the term's texts compare; nil where it is no text, or an id, which compares exactly.
    let rule: TextRule?

    /// Whether the term is a column that every row has a value in.
    var isNeverNull: Bool {
        if case .system = operand.field { true } else { false }
    }

    /// SQL as the right side of a comparison with the term.
    func compared(_ sql: SQLFragment, in dialect: any SQLDialect) -> SQLFragment {
        if operand.type == .decimal { return dialect.compared(decimal: sql) }
        return rule.map { dialect.collated(sql, by: $0) } ?? sql
    }

    /// What the rows are sorted by.
    func sorted(in dialect: any SQLDialect) -> SQLFragment {
        return dialect.sorted(
            compared(operand.sql(within: .primary), in: dialect), isDescending: isDescending, isNeverNull: isNeverNull)
    }

    /// The terms of a query's order with the id as the last one, so that the order is total.
    static func all(
        of query: TableQuery, in table: Table, dialect: any SQLDialect
    ) throws(QueryError) -> [OrderedTerm] {
        let resolver = ExpressionResolver(query, of: table, dialect: dialect, option: "$orderby")
        let rule: TextRule = query.textComparison == .ordinal ? .exact : .ordered
        var terms: [OrderedTerm] = []
        for term in query.order {
            let operand = resolver.definite(try resolver.resolve(term.expression))
            try resolver.checkDepth(operand)
            terms.append(
                OrderedTerm(
                    operand: operand, isDescending: term.isDescending, rule: operand.type == .text ? rule : nil))
            if operand.field == .system(.id) { return terms }
        }
        let id = Operand(.system(.id), of: table, at: 0)
        return terms + [OrderedTerm(operand: id, isDescending: false, rule: nil)]
    }
}
