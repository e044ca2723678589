import TableSQL
import Tables

extension TransactWriter {
    func call(
        _ function: TransactFunction, _ expressions: [TransactExpression], at place: TransactPlace,
        in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        let arguments = try arguments(function.rawValue, expressions, function.counts, at: place, in: scope)
        switch function {
        case .now, .nowUTC, .systemNow, .systemNowLocal, .systemNowOffset: return TransactOperand(.date(context.now))
        case .newID: return TransactOperand(dialect.newID, .text)
        case .identity: return TransactOperand(context.identity)
        case .endOfMonth:
            let date = try converted(arguments[0], to: .date, at: place).sql
            return TransactOperand(dialect.endOfMonth(date), .date)
        case .isNumeric: return isNumeric(arguments[0])
        case .character, .space, .replicate: return try made(function, arguments, at: place)
        case .isNull:
            // The type of the first argument, whatever the second one's.
            let first = arguments[0].type == .null ? arguments[1] : arguments[0]
            let second = try converted(arguments[1], to: first.type, at: place)
            return TransactOperand("coalesce(\(arguments[0].sql), \(second.sql))", first.type)
        case .coalesce:
            let (operands, type) = try unified(arguments, at: place)
            return TransactOperand("coalesce(\(.list(operands.map(\.sql))))", type)
        case .nullIf:
            let isSame = try compared(.equal, arguments[0], arguments[1], at: place)
            let type = arguments[0].type
            return TransactOperand(
                "(CASE WHEN \(isSame) THEN \(dialect.null(type)) ELSE \(arguments[0].sql) END)", type)
        case .absolute, .round, .floor, .ceiling:
            return try rounding(function, arguments, at: place)
        case .year, .month, .day:
            let part: SQLOperation.DatePart = function == .year ? .year : function == .month ? .month : .day
            let date = try converted(arguments[0], to: .date, at: place)
            return TransactOperand(dialect.sql(.datePart(part), [date.sql]), .whole)
        case .length, .lower, .upper, .leftTrim, .rightTrim, .trim, .replace, .left, .right, .substring, .stuff,
            .position, .concatenate:
            return try text(function, arguments, at: place)
        default: return try mathematics(function, arguments, at: place)
        }
    }

    /// Resolves the arguments of a function, checking their number.
    func arguments(
        _ name: String, _ expressions: [TransactExpression], _ counts: ClosedRange<Int>, at place: TransactPlace,
        in scope: TransactScope
    ) throws(StatementFault) -> [TransactOperand] {
        guard counts.contains(expressions.count) else {
            throw place.fault("`\(name)` takes another number of arguments.")
        }
        return try resolve(expressions, in: scope)
    }

    private func rounding(
        _ function: TransactFunction, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        let number = try number(arguments[0], of: function.rawValue, at: place)
        if function == .absolute, number.type != .decimal { return TransactOperand("abs(\(number.sql))", number.type) }
        if number.type == .whole, function == .floor || function == .ceiling { return number }
        let real = try converted(number, to: .real, at: place)
        switch function {
        case .absolute: return TransactOperand("abs(\(real.sql))", .real)
        case .floor: return TransactOperand(dialect.sql(.floor(.real), [real.sql]), .real)
        case .ceiling: return TransactOperand(dialect.sql(.ceiling(.real), [real.sql]), .real)
        default:
            guard let places = arguments[1].constant?.integerValue, (-15...15).contains(places) else {
                throw place.fault("The second argument of ROUND has to be a number up to 15 that is no column.")
            }
            guard let way = arguments.count == 2 ? 0 : arguments[2].constant?.integerValue else {
                throw place.fault("The third argument of ROUND has to be a whole number that is no column.")
            }
            guard number.type == .whole else { return rounded(real, to: Int(places), cuts: way != 0) }
            return TransactOperand(rounded(whole: number.sql, to: Int(places), cuts: way != 0), .whole)
        }
    }

    private func text(
        _ function: TransactFunction, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if function == .concatenate { return try concatenated(arguments, at: place) }
        let text = try converted(arguments[0], to: .text, at: place)
        let sql = text.sql
        func made(_ sql: SQLFragment) -> TransactOperand { TransactOperand(sql, .text) }
        switch function {
        case .length:
            // Trailing blanks don't count.
            return TransactOperand(dialect.sql(.length, ["rtrim(\(sql))"]), .whole)
        case .lower: return made(dialect.sql(.lower, [sql]))
        case .upper: return made(dialect.sql(.upper, [sql]))
        case .leftTrim: return made("ltrim(\(sql))")
        case .rightTrim: return made("rtrim(\(sql))")
        case .trim: return made(dialect.sql(.trim, [sql]))
        case .replace:
            let old = try converted(arguments[1], to: .text, at: place)
            let new = try converted(arguments[2], to: .text, at: place)
            return made(dialect.replaced(sql, old.sql, new.sql))
        case .left:
            return made(dialect.sql(.substring, [sql, "0", try whole(arguments[1], at: place).sql]))
        case .right:
            let count = try whole(arguments[1], at: place).sql
            return made(dialect.sql(.substring, [sql, "(\(dialect.sql(.length, [sql])) - \(count))"]))
        case .substring: return try substring(text, arguments, at: place)
        case .stuff: return try stuffed(text, arguments, at: place)
        default: return try position(of: text, arguments, at: place)
        }
    }

    func whole(_ operand: TransactOperand, at place: TransactPlace) throws(StatementFault) -> TransactOperand {
        try converted(operand, to: .whole, at: place)
    }

    /// SUBSTRING: if it starts before the text, the positions before the text count too.
    private func substring(
        _ text: TransactOperand, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        let (start, count) = (try whole(arguments[1], at: place), try whole(arguments[2], at: place))
        var length = count.sql
        if case .integer(let first) = start.constant, first >= 1 {
            let passed = SQLFragment(.integer(first - 1))
            return TransactOperand(dialect.sql(.substring, [text.sql, passed, length]), .text)
        }
        length = "(CASE WHEN \(start.sql) < 1 THEN \(length) + \(start.sql) - 1 ELSE \(length) END)"
        return TransactOperand(dialect.sql(.substring, [text.sql, "(\(start.sql) - 1)", length]), .text)
    }

    /// CHARINDEX, which counts from 1 and returns 0 if nothing is found.
    private func position(
        of needle: TransactOperand, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if needle.constantText?.isEmpty == true { return TransactOperand(.integer(0)) }
        let text = try converted(arguments[1], to: .text, at: place)
        guard arguments.count == 3 else {
            let index = dialect.sql(.indexOf(.ignoringCase), [text.sql, needle.sql])
            return TransactOperand("(\(index) + 1)", .whole)
        }
        let start = try whole(arguments[2], at: place).sql
        let passed: SQLFragment = "(CASE WHEN \(start) < 1 THEN 0 ELSE \(start) - 1 END)"
        let rest = dialect.sql(.substring, [text.sql, passed])
        let index = dialect.sql(.indexOf(.ignoringCase), [rest, needle.sql])
        return TransactOperand("(CASE WHEN \(index) < 0 THEN 0 ELSE \(index) + 1 + \(passed) END)", .whole)
    }

    /// CONCAT, which treats NULL as an empty text.
    private func concatenated(
        _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        var parts = try arguments.map { argument throws(StatementFault) -> SQLFragment in
            "coalesce(\(try converted(argument, to: .text, at: place).sql), \(SQLFragment(.text(""))))"
        }
        while parts.count > 1 {
            parts = parts.chunks(of: TransactOperand.mostJoined).map { some in
                some.count == 1 ? some[0] : dialect.short(.list(some, by: " || "))
            }
        }
        return TransactOperand(parts[0], .text)
    }

    // MARK: Dates

    func dateCall(
        _ name: String, _ part: TransactDatePart, _ expressions: [TransactExpression], at place: TransactPlace,
        in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        let count = name == "DATEPART" ? 1 : 2
        let arguments = try arguments(name, expressions, count...count, at: place, in: scope)
        switch name {
        case "DATEADD":
            let steps = try whole(arguments[0], at: place).sql
            let date = try converted(arguments[1], to: .date, at: place).sql
            guard let (unit, size) = part.unit else { throw place.fault("DATEADD of this part is not supported.") }
            let times: SQLFragment = size == 1 ? steps : "\(steps) * \(SQLFragment(.integer(size)))"
            return TransactOperand(dialect.moved(date, by: times, unit), .date)
        case "DATEDIFF":
            guard let (unit, size) = part.counted else {
                throw place.fault("DATEDIFF of this part is not supported.")
            }
            let first = dialect.count(of: unit, in: try converted(arguments[0], to: .date, at: place).sql)
            let second = dialect.count(of: unit, in: try converted(arguments[1], to: .date, at: place).sql)
            guard part == .year || part == .quarter else { return TransactOperand("(\(second) - \(first))", .whole) }
            // Months are counted from 1.
            let months = SQLFragment(.integer(size))
            return TransactOperand("((\(second) - 1) / \(months) - (\(first) - 1) / \(months))", .whole)
        default:
            let date = try converted(arguments[0], to: .date, at: place).sql
            switch part {
            case .weekday: return TransactOperand(dialect.dayNumber(of: date, inYear: false), .whole)
            case .dayOfYear: return TransactOperand(dialect.dayNumber(of: date, inYear: true), .whole)
            case .quarter:
                let month = dialect.sql(.datePart(.month), [date])
                return TransactOperand("((\(month) + 2) / 3)", .whole)
            default:
                guard let own = part.own else { throw place.fault("DATEPART of this part is not supported.") }
                return TransactOperand(dialect.sql(.datePart(own), [date]), .whole)
            }
        }
    }
}

extension TransactDatePart {
    /// The unit in which dates are moved, and how many at a time.
    fileprivate var unit: (TransactUnit, Int64)? {
        switch self {
        case .year: (.month, 12)
        case .quarter: (.month, 3)
        case .month: (.month, 1)
        case .week: (.day, 7)
        case .day, .dayOfYear, .weekday: (.day, 1)
        case .hour: (.hour, 1)
        case .minute: (.minute, 1)
        case .second: (.second, 1)
        case .millisecond: (.millisecond, 1)
        }
    }

    /// The unit in which differences are counted. Weeks depend on the server's language.
    fileprivate var counted: (TransactUnit, Int64)? { self == .week ? nil : unit }

    fileprivate var own: SQLOperation.DatePart? {
        switch self {
        case .year: .year
        case .month: .month
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        case .millisecond: .millisecond
        case .quarter, .dayOfYear, .week, .weekday: nil
        }
    }
}
