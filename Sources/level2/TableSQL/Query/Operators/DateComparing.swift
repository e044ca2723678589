import OData
import Scalars
import Tables

// Dates compare as they are shown. A database may keep some that can't be (`SQLOperation.shownDate`).
extension ExpressionResolver {
    /// Compares two dates if shown and stored values may give different results; nil if they can't.
    func compareDates(_ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int) -> Operand? {
        if let constant = right.date, left.date == nil {
            return constant.isAtEnd ? compareDate(binary, left, with: constant, at: offset) : nil
        }
        if let constant = left.date, right.date == nil {
            return constant.isAtEnd ? compareDate(binary.turned, right, with: constant, at: offset) : nil
        }
        // What is calculated is within the ends, and no column's index would serve.
        guard left.field != nil, right.field != nil else { return nil }
        let sides = [dialect.sql(.shownDate, [left.sql]), dialect.sql(.shownDate, [right.sql])]
        let sql: SQLFragment =
            switch binary {
            case .notEqual where nulls == .value: dialect.sql(.differ, sides)
            case .equal where nulls == .value: dialect.sql(.same, sides)
            default: "\(sides[0]) \(binary.sql) \(sides[1])"
            }
        return Operand(sql, .boolean, .comparison, at: offset)
    }

    /// Compares stored values with the first or the last date that can be shown, so that an index serves.
    private func compareDate(
        _ binary: BinaryOperator, _ operand: Operand, with end: Instant, at offset: Int
    ) -> Operand {
        let isLast = end == .last
        let beyond = SQLFragment(.date(Instant(milliseconds: isLast ? .max : .min)))
        let (end, date) = (SQLFragment(.date(end)), operand.sql(within: .additive))
        let sql: SQLFragment =
            switch (binary, isLast) {
            case (.equal, true), (.greaterOrEqual, true): "\(date) >= \(end)"
            case (.equal, false), (.lessOrEqual, false): "\(date) <= \(end)"
            case (.notEqual, true) where nulls == .value: "(\(date) >= \(end)) IS NOT TRUE"
            case (.notEqual, false) where nulls == .value: "(\(date) <= \(end)) IS NOT TRUE"
            case (.notEqual, true), (.less, true): "\(date) < \(end)"
            case (.notEqual, false), (.greater, false): "\(date) > \(end)"
            // All are on this side of the end, and none on the other.
            default: "\(date) \(binary.sql) \(beyond)"
            }
        return Operand(sql, .boolean, .comparison, at: offset)
    }

    /// A date as it is looked for among constants.
    func shownBeside(_ constants: [Operand], _ operand: Operand) -> Operand {
        guard constants.contains(where: { $0.date?.isAtEnd == true }) else { return operand }
        return Operand(dialect.sql(.shownDate, [operand.sql]), .date, at: operand.offset)
    }
}

extension Operand {
    /// The operand's constant date; nil if it differs from row to row.
    fileprivate var date: Instant? {
        if case .date(let instant) = literal { instant } else { nil }
    }
}

extension Instant {
    /// Whether other dates are shown as this one.
    var isAtEnd: Bool { self == .first || self == .last }
}
