import OData
import Tables

extension ExpressionResolver {
    /// Returns a part of a date, of text that contains a date, of a day or of a time of day.
    func part(_ function: Function, of argument: Expression, at offset: Int) throws(QueryError) -> Operand {
        let operand = try resolve(argument)
        let part = datePart(function)
        let number: SQLFragment
        switch operand.type {
        case .day, .time:
            guard let digits = Self.digits(of: part, in: operand.type) else {
                throw mismatch(function, takes: "a date", not: operand)
            }
            number = "CAST(substr(\(operand.sql(within: .primary)), \(digits)) AS INTEGER)"
        default:
            number = dialect.sql(.datePart(part), [try date(operand, of: function)])
        }
        guard part == .millisecond else { return Operand(number, .integer, at: offset) }
        return Operand("\(number) / 1000.0", .real, .multiplicative, at: offset)
    }

    /// Returns the day or the time of day of a date.
    func half(_ function: Function, of argument: Expression, at offset: Int) throws(QueryError) -> Operand {
        let operand = try resolve(argument)
        let type: ValueType = function == .date ? .day : .time
        if operand.type == type { return operand }
        let date = try date(operand, of: function)
        return Operand(dialect.sql(type == .day ? .dayOfDate : .timeOfDate, [date]), type, at: offset)
    }

    private func date(_ operand: Operand, of function: Function) throws(QueryError) -> SQLFragment {
        switch operand.type {
        case .date, .null: return operand.sql(within: .primary)
        case .text: return dialect.sql(.dateOfText, [operand.sql(within: .primary)])
        default: throw mismatch(function, takes: "a date", not: operand)
        }
    }

    private func datePart(_ function: Function) -> SQLOperation.DatePart {
        switch function {
        case .month: .month
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        case .fractionalSeconds: .millisecond
        default: .year
        }
    }

    /// Returns the position of a part in the text of a day or of a time: both databases store these as text.
    private static func digits(of part: SQLOperation.DatePart, in type: ValueType) -> SQLFragment? {
        switch (type, part) {
        case (.day, .year): "1, 4"
        case (.day, .month): "6, 2"
        case (.day, .day): "9, 2"
        case (.time, .hour): "1, 2"
        case (.time, .minute): "4, 2"
        case (.time, .second): "7, 2"
        case (.time, .millisecond): "10, 3"
        default: nil
        }
    }
}
