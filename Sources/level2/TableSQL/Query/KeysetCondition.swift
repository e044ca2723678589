import OData
import Tables

/// The condition for rows after a place in an order: nulls come first, or last if a term is descending.
struct KeysetCondition {
    /// All of them must hold; the first one tells an index where to begin.
    let conditions: [Operand]
    private let dialect: any SQLDialect

    /// - Parameter beforeNulls: whether rows with a null in the first term are excluded.
    /// - Throws: an error if the place belongs to another order.
    init(
        behind cursor: PageCursor, in terms: [OrderedTerm], dialect: any SQLDialect, beforeNulls: Bool = false
    ) throws(QueryError) {
        self.dialect = dialect
        let values = cursor.values + [cursor.id.value]
        guard values.count == terms.count else {
            throw QueryError("$skiptoken", at: nil, .syntax("The continuation belongs to another query."))
        }
        var places = zip(terms, values).map {
            Place(term: $0, value: $1, dialect: dialect, hasNulls: $0.isDescending && !$0.isNeverNull)
        }
        if beforeNulls { places[0].hasNulls = false }
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

    /// Returns the condition for the rows that come last because they have a null in the order's first column.
    /// - Returns: nil if there are none after the place, or if they are among those before them.
    static func nulls(behind cursor: PageCursor, in terms: [OrderedTerm]) -> Operand? {
        guard let first = terms.first, first.isDescending, !first.isNeverNull, first.operand.field != nil,
            let value = cursor.values.first, value != .null
        else { return nil }
        return Operand("\(first.operand.sql) IS NULL", .boolean, .comparison, at: 0)
    }
}

/// One term of an order and its value in a row.
private struct Place {
    let term: OrderedTerm
    let value: Value
    let dialect: any SQLDialect
    /// Whether rows with a null come after all others.
    var hasNulls: Bool

    /// The condition for rows that the term puts after the value; nil if there are none.
    var behind: SQLFragment? {
        switch (term.isDescending, value) {
        case (false, .null): "\(left) IS NOT NULL"
        case (true, .null): nil
        case (false, _): related(.greater)
        case (true, _): hasNulls ? "(\(related(.less)) OR \(left) IS NULL)" : related(.less)
        }
    }

    var same: SQLFragment {
        value == .null ? "\(left) IS NULL" : related(.equal)
    }

    /// A range of all rows from the value on; nil if that isn't a range.
    var from: SQLFragment? {
        switch (term.isDescending, value) {
        case (false, .null): nil
        case (true, .null): "\(left) IS NULL"
        case (false, _): related(.greaterOrEqual)
        case (true, _): hasNulls ? nil : related(.lessOrEqual)
        }
    }

    private func related(_ relation: BinaryOperator) -> SQLFragment {
        if term.rule == .orderedPlain, case .text(let text) = value {
            return dialect.ordered(left, relation, beside: text)
        }
        return "\(left) \(relation.sql) \(term.compared(SQLFragment(value), in: dialect))"
    }

    private var left: SQLFragment {
        let left = term.operand.sql(within: .additive)
        return term.rule.map { dialect.compared(left, by: $0) } ?? left
    }
}
