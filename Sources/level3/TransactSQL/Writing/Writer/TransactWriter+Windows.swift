import TableSQL
import Tables

extension TransactWriter {
    /// Translates a function with OVER, which is allowed in the list of a SELECT and in its ORDER BY.
    func window(
        _ window: TransactWindow, at place: TransactPlace, in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        guard scope.takesWindows else { throw place.fault("OVER can't stand here.") }
        scope.takesWindows = false
        defer { scope.takesWindows = true }
        let over = try self.over(window, in: scope)
        switch window.function {
        case .function(let name, let arguments):
            return try function(name, arguments, over: over, at: place, in: scope)
        case .aggregate(let aggregate, let argument):
            let operand = try argument.map { argument throws(StatementFault) in try resolve(argument, in: scope) }
            return try self.aggregate(aggregate, of: operand, over: over, at: place)
        }
    }

    private func over(_ window: TransactWindow, in scope: TransactScope) throws(StatementFault) -> SQLFragment {
        var parts: [SQLFragment] = []
        if !window.partition.isEmpty {
            parts.append("PARTITION BY \(.list(try resolve(window.partition, in: scope).map(groupKey)))")
        }
        if !window.order.isEmpty {
            let terms = try window.order.map { term throws(StatementFault) in
                sorted(try resolve(term.expression, in: scope), isDescending: term.isDescending)
            }
            parts.append("ORDER BY \(.list(terms))")
        }
        return "OVER (\(.list(parts, by: " ")))"
    }

    private func function(
        _ name: String, _ expressions: [TransactExpression], over: SQLFragment, at place: TransactPlace,
        in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        let counts =
            switch name {
            case "NTILE", "FIRST_VALUE": 1...1
            case "LAG", "LEAD": 1...3
            default: 0...0
            }
        let arguments = try arguments(name, expressions, counts, at: place, in: scope)
        switch name {
        case "ROW_NUMBER": return TransactOperand("(row_number() \(over))", .whole)
        case "RANK": return TransactOperand("(rank() \(over))", .whole)
        case "DENSE_RANK": return TransactOperand("(dense_rank() \(over))", .whole)
        case "NTILE":
            guard let count = arguments[0].constant?.integerValue, (1...1_000_000).contains(count) else {
                throw place.fault("NTILE takes a whole number from 1 on that is no column.")
            }
            // PostgreSQL's result has 32 bits.
            return TransactOperand(
                dialect.whole("ntile(\(SQLFragment(stringLiteral: String(count)))) \(over)"), .whole)
        default:
            guard arguments[0].constant == nil else { throw place.fault("`\(name)` takes a column.") }
            let function: SQLFragment = name == "LAG" ? "lag" : name == "LEAD" ? "lead" : "first_value"
            var values = [arguments[0].sql]
            if arguments.count > 1 {
                guard let offset = arguments[1].constant?.integerValue, (0...1_000_000).contains(offset) else {
                    throw place.fault("The second argument of `\(name)` is a whole number from 0 on that is no column.")
                }
                values.append(SQLFragment(stringLiteral: String(offset)))
            }
            if arguments.count > 2 { values.append(try converted(arguments[2], to: arguments[0].type, at: place).sql) }
            return TransactOperand("(\(function)(\(.list(values))) \(over))", arguments[0].type)
        }
    }

    private func aggregate(
        _ aggregate: TransactAggregate, of operand: TransactOperand?, over: SQLFragment, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        guard let operand else { return TransactOperand("(count(*) \(over))", .whole) }
        switch aggregate {
        case .count: return TransactOperand("(count(\(operand.sql)) \(over))", .whole)
        case .sum, .average:
            let number = try summed(operand, by: aggregate, at: place)
            guard number.type == .whole else {
                let name: SQLFragment = aggregate == .sum ? "sum" : "avg"
                return TransactOperand("(\(name)(\(number.sql)) \(over))", .real)
            }
            let sum = dialect.whole("sum(\(number.sql)) \(over)")
            return TransactOperand(
                aggregate == .sum ? "(\(sum))" : "(\(sum) / nullif(count(\(number.sql)) \(over), 0))", .whole)
        case .least, .greatest:
            guard operand.type.isNumber && operand.type != .decimal || operand.type == .date else {
                throw place.fault("`\(aggregate.rawValue)` with OVER takes numbers and dates alone.")
            }
            let name: SQLFragment = aggregate == .least ? "min" : "max"
            return TransactOperand("(\(name)(\(operand.sql)) \(over))", operand.type)
        }
    }

    /// Returns the operand of SUM and AVG.
    func summed(
        _ operand: TransactOperand, by aggregate: TransactAggregate, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        guard operand.type.isNumber || operand.type == .null else {
            throw place.fault("`\(aggregate.rawValue)` takes a number, not \(operand.type.noun).")
        }
        return try converted(operand, to: operand.type == .whole ? .whole : .real, at: place)
    }
}
