import TableSQL
import Tables

extension TransactWriter {
    /// Translates a function of numbers. As on SQL Server, those that keep the type of their argument truncate to a
    /// whole number if that is one.
    func mathematics(
        _ function: TransactFunction, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        let numbers = try arguments.map { argument throws(StatementFault) in
            try number(argument, of: function.rawValue, at: place)
        }
        let reals = try numbers.map { number throws(StatementFault) in
            try converted(number, to: .real, at: place).sql
        }
        let isWhole = numbers.first?.type == .whole
        func real(_ sql: SQLFragment) -> TransactOperand { TransactOperand(sql, .real) }
        if let calculation = function.calculation { return real(dialect.calculation(calculation, reals)) }
        switch function {
        case .square: return real(times(reals[0], reals[0]))
        case .power:
            return isWhole
                ? TransactOperand(dialect.calculation(.wholePower, reals), .whole)
                : real(dialect.calculation(.power, reals))
        case .logarithm:
            let natural = reals.map { dialect.calculation(.logarithm, [$0]) }
            guard natural.count == 2 else { return real(natural[0]) }
            // The logarithm to base 1 is undefined, like that of 0.
            let none = dialect.calculation(.logarithm, [natural[1]])
            let base: SQLFragment = "(CASE WHEN \(natural[1]) = 0 THEN \(none) ELSE \(natural[1]) END)"
            return real(dialect.sql(.divide(.real), [natural[0], base]))
        case .radians, .degrees:
            let factor = SQLFragment(.number(Double.pi / 180))
            let made =
                function == .radians ? times(reals[0], factor) : dialect.sql(.divide(.real), [reals[0], factor])
            return isWhole ? TransactOperand(dialect.whole(ofReal: made), .whole) : real(made)
        case .sign:
            let made = dialect.calculation(.sign, [reals[0]])
            return isWhole ? TransactOperand(dialect.whole(ofReal: made), .whole) : real(made)
        // The same for all rows of a statement.
        case .random: return TransactOperand(.number(Double.random(in: 0..<1)))
        case .pi: return TransactOperand(.number(Double.pi))
        default: throw place.fault("`\(function.rawValue)` is not known here.")
        }
    }
}
