import OData
import Tables

/// What is true of the rows that come behind a place in an order: nulls first, or last where a term descends.
struct PlaceCondition {
    /// Each is true of the rows; the first one tells an index where to begin.
    let conditions: [Operand]
    private let dialect: any SQLDialect

    /// - Throws: where the place belongs to another order.
    init(behind cursor: PageCursor, in terms: [OrderedTerm], dialect: any SQLDialect) throws(QueryError) {
        self.dialect = dialect
        let values = cursor.values + [cursor.id.value]
        guard values.count == terms.count else {
            throw QueryError("$skiptoken", at: nil, .syntax("The continuation belongs to another query."))
        }
        let places = zip(terms, values).map { Place(term: $0, value: $1, dialect: dialect) }
        var alternatives: SQLFragment?
        var count = 0
        for index in places.indices {
            guard var alternative = places[index].behind else { continue }
            for earlier in places[..<index].reversed() { alternative = "\(earlier.same) AND \(alternative)" }
            alternatives = alternatives.map { "\($0) OR \(alternative)" } ?? alternative
            count += 1
        }
        var conditions: [Operand] = []
        if places.count > 1, let bound = places[0].from {
            conditions.append(Operand(bound, .boolean, .comparison, at: 0))
        }
        if let alternatives {
            conditions.append(Operand(alternatives, .boolean, count > 1 ? .or : .and, at: 0))
        }
        self.conditions = conditions
    }
}

/// One term of an order and its value in a row.
private struct Place {
    let term: OrderedTerm
    let value: Value
    let dialect: any SQLDialect

    /// The rows that the term puts behind the value; nil where there are none.
    var behind: SQLFragment? {
        switch (term.isDescending, value) {
        case (false, .null): "\(left) IS NOT NULL"
        case (true, .null): nil
        case (false, _): "\(left) > \(right)"
        case (true, _): term.isNeverNull ? "\(left) < \(right)" : "(\(left) < \(right) OR \(left) IS NULL)"
        }
    }

    var same: SQLFragment {
        value == .null ? "\(left) IS NULL" : "\(left) = \(right)"
    }

    /// A range that holds all rows from the value on; nil where that would be no range.
    var from: SQLFragment? {
        switch (term.isDescending, value) {
        case (false, .null): nil
        case (true, .null): "\(left) IS NULL"
        case (false, _): "\(left) >= \(right)"
        case (true, _): term.isNeverNull ? "\(left) <= \(right)" : nil
        }
    }

    private var left: SQLFragment {
        let left = term.operand.sql(within: .additive)
        return term.rule.map { dialect.compared(left, by: $0) } ?? left
    }

    private var right: SQLFragment {
        term.compared(SQLFragment(value), in: dialect)
    }
}
