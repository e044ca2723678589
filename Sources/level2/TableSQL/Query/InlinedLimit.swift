import OData
import Tables

extension TableQuery {
    /// How many rows to read, for a statement that has the number in its text; nil where the number is bound.
    ///
    /// PostgreSQL assumes that a bound number is a tenth of the table's rows, and so plans every pull again instead of
    /// keeping a plan for that many. The number is written out when one plan is as good as another for any values: for
    /// the first page of all rows, or of those from a date on, in the order of that date. Only round numbers, which
    /// clients usually send, are written out: each number makes a statement of its own.
    func writtenLimit(in dialect: any SQLDialect) -> Int? {
        guard dialect.plansByValues, skip == 0, after == nil, seenStamp == nil, scope == nil,
            (1...1_000).contains(limit), limit.isMultiple(of: 5), filter.map(isStart) ?? true
        else { return nil }
        return limit + 1
    }

    /// Whether a condition is where the order begins.
    private func isStart(_ filter: Expression) -> Bool {
        guard case .binary(let comparison, .column(let name, _), .literal(.date, _), _) = filter,
            [.greater, .greaterOrEqual].contains(comparison), let first = order.first, !first.isDescending,
            case .column(name, _) = first.expression
        else { return false }
        return true
    }
}
