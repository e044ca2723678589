import OData
import Tables

extension TableQuery {
    /// Returns the number of rows to read for a statement that has it in its text; nil if the number is bound.
    ///
    /// PostgreSQL assumes that a bound limit is a tenth of the table's rows, and so replans every pull instead of
    /// keeping a plan for it. The number is inlined when one plan is as good as another for any values: for the first
    /// page of all rows, or of those from a date on, in the order of that date. Only round numbers, which clients
    /// usually send, are inlined: each number makes a separate statement.
    func writtenLimit(in dialect: any SQLDialect) -> Int? {
        guard dialect.plansByValues, skip == 0, after == nil, seenStamp == nil, scope == nil,
            (1...1_000).contains(limit), limit.isMultiple(of: 5), filter.map(isStart) ?? true
        else { return nil }
        return limit + 1
    }

    /// Returns whether a condition is a lower bound on the order's first term.
    private func isStart(_ filter: Expression) -> Bool {
        guard case .binary(let comparison, .column(let name, _), .literal(.date, _), _) = filter,
            [.greater, .greaterOrEqual].contains(comparison), let first = order.first, !first.isDescending,
            case .column(name, _) = first.expression
        else { return false }
        return true
    }
}
