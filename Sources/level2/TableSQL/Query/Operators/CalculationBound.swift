import OData
import Tables

/// Limits the bytes of text that a query may calculate with for one row. They are estimated beforehand, from the
/// lengths of the row's own texts, which a database knows without reading them.
///
/// Neither database frees the memory of a calculation before all are done, and neither can be interrupted during one.
struct CalculationBound {
    /// The maximum size in bytes of the texts that all calculations over a row read and build.
    static let mostBytes = 32 << 20
    /// The maximum size in bytes of a row's calculated sort keys. Those of a whole page may be in memory at once.
    static let mostKeyBytes = 64 << 10
    /// How often a condition may read a text without this limit: rows from requests are short enough for that.
    private static let mostFreeReadings = 16.0

    private var calculated: TextSize
    private var keys: TextSize

    /// Estimates a query's calculations.
    init(_ query: TableQuery, in table: Table) {
        var weight = TextWeight(table: table, folds: query.textComparison == .ignoringCase)
        if let filter = query.filter { weight.add(filter) }
        calculated = weight.total
        keys = TextSize()
        for term in query.order {
            guard case .call = term.expression else { continue }
            weight.total = TextSize()
            let key = weight.add(term.expression)
            // Once for sorting and once for the place of the last row.
            keys.add(key, times: 2)
            calculated.add(weight.total, times: 2)
        }
    }

    /// Returns a condition that is true for rows that are short enough, and fails for others; nil if all are.
    /// - Parameter scope: the relevant rows; nil for all.
    func condition(scope: Operand?, dialect: any SQLDialect) throws(QueryError) -> Operand? {
        var bounds: [SQLFragment] = []
        for (size, most) in [(keys, Self.mostKeyBytes), (calculated, Self.mostBytes)] {
            guard size.constant <= Double(most) else {
                throw QueryError("$filter", at: nil, .syntax("The query calculates with too much text."))
            }
            let isKey = most == Self.mostKeyBytes
            guard let largest = size.factors.map(\.factor).max(), isKey || largest > Self.mostFreeReadings else {
                continue
            }
            var sum = SQLFragment(.integer(Int64(size.constant)))
            for (field, factor) in size.factors {
                let times = SQLFragment(.integer(Int64(factor.rounded(.up))))
                sum = dialect.weighing(SQLFragment(field), times: times, onto: sum)
            }
            bounds.append("zumod_within(\(sum), \(SQLFragment(.integer(Int64(most)))))")
        }
        guard var condition = bounds.first else { return nil }
        for bound in bounds.dropFirst() { condition = "\(condition) AND \(bound)" }
        if let scope {
            // Rows that callers can't see must not make a difference to them.
            condition = "CASE WHEN \(scope.sql(within: .not)) THEN \(condition) ELSE TRUE END"
        }
        return Operand(condition, .boolean, .and, at: 0)
    }
}
