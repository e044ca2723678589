import OData
import Scalars
import Tables

// Dates compare as they are shown. A database may contain some that can't be shown (`SQLOperation.shownDate`).
extension ExpressionResolver {
    /// Compares two dates if shown and stored values may give different results; nil if they can't.
    func compareDates(_ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int) -> Operand? {
        if let constant = right.date, left.date == nil {
            return constant.isAtEnd ? compareDate(binary, left, with: constant, at: offset) : nil
        }
        if let constant = left.date, right.date == nil {
            return constant.isAtEnd ? compareDate(binary.turned, right, with: constant, at: offset) : nil
        }
        // Calculated dates are within the limits, and no column's index would be used.
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

    /// Compares stored values with the first or the last date that can be shown, in a form that an index supports.
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
            // All are on this side of the limit, and none on the other.
            default: "\(date) \(binary.sql) \(beyond)"
            }
        return Operand(sql, .boolean, .comparison, at: offset)
    }

    /// Returns a date for comparison with a list of constants.
    func shownBeside(_ constants: [Operand], _ operand: Operand) -> Operand {
        guard constants.contains(where: { $0.date?.isAtEnd == true }) else { return operand }
        return Operand(dialect.sql(.shownDate, [operand.sql]), .date, at: operand.offset)
    }
}

extension Operand {
    /// The operand's constant date; nil if it isn't constant.
    fileprivate var date: Instant? {
        if case .date(let instant) = literal { instant } else { nil }
    }
}

extension Instant {
    /// Whether other dates are shown as this one too.
    var isAtEnd: Bool { self == .first || self == .last }
}
