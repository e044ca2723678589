import TableSQL
import Tables

extension TransactWriter {
    func negated(_ operand: TransactOperand, at place: TransactPlace) throws(StatementFault) -> TransactOperand {
        switch operand.constant {
        case .integer(let whole) where whole != .min: return TransactOperand(.integer(-whole))
        case .number(let number): return TransactOperand(.number(-number))
        default: break
        }
        let number = try number(operand, of: "-", at: place)
        let plain: SQLFragment = "(-\(number.sql))"
        if number.type == .whole { return TransactOperand(dialect.whole(plain), .whole) }
        return TransactOperand(
            dialect.arithmetic(.negate, of: number.type.numberKind, [number.sql]) ?? plain, number.type)
    }

    /// Returns a number, also from a bit and a constant text.
    func number(
        _ operand: TransactOperand, of what: String, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        switch operand.type {
        case .whole, .real, .decimal: return operand
        case .boolean, .null: return try converted(operand, to: .whole, at: place)
        case .text where operand.constant != nil:
            let isWhole = operand.constant.flatMap { Self.converted($0, to: .whole) } != nil
            return try converted(operand, to: isWhole ? .whole : .real, at: place)
        default: throw place.fault("`\(what)` takes a number, not \(operand.type.noun).")
        }
    }

    func calculated(
        _ operation: TransactOperator, _ left: TransactOperand, _ right: TransactOperand, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if operation == .add, joins(left, right) || joins(right, left) { return try joined(left, right, at: place) }
        if left.type == .date || right.type == .date {
            throw place.fault("`\(operation.rawValue)` takes no date; DATEADD and DATEDIFF do.")
        }
        let first = try number(left, of: operation.rawValue, at: place)
        let second = try number(right, of: operation.rawValue, at: place)
        let (operands, common) = try unified([first, second], at: place)
        let type = common == .null ? .whole : common
        let sql = operands.map(\.sql)
        let kind = type.numberKind
        func arithmetic(_ operation: SQLArithmetic, _ sign: SQLFragment) -> SQLFragment {
            let own = type == .whole ? nil : dialect.arithmetic(operation, of: kind, sql)
            return own ?? "(\(sql[0]) \(sign) \(sql[1]))"
        }
        let made =
            switch operation {
            case .add: arithmetic(.add, "+")
            case .subtract: arithmetic(.subtract, "-")
            case .multiply: arithmetic(.multiply, "*")
            case .divide: dialect.sql(.divide(kind), sql)
            case .modulo: dialect.sql(.modulo(kind), sql)
            }
        // Whole numbers stay whole, and overflow is an error.
        return TransactOperand(type == .whole ? dialect.whole(made) : made, type)
    }

    /// Returns whether a text makes `+` a concatenation: beside a number, SQL Server would read it as a number.
    private func joins(_ text: TransactOperand, _ other: TransactOperand) -> Bool {
        guard text.type.isText else { return false }
        let isNumber = text.constant.flatMap { Self.converted($0, to: .real) } != nil
        return !isNumber || !other.type.isNumber
    }

    /// Concatenates texts. SQL Server would convert a text beside a number to a number.
    private func joined(
        _ left: TransactOperand, _ right: TransactOperand, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        for operand in [left, right] where !operand.type.isText && operand.type != .null {
            throw place.fault("`+` of a text and \(operand.type.noun) is not supported; CAST says what is meant.")
        }
        if left.isNull || right.isNull { return try converted(Self.null, to: .text, at: place) }
        if let first = left.constantText, let second = right.constantText {
            guard first.utf8.count + second.utf8.count <= StatementScript.mostTextBytes else {
                throw place.fault("`+` makes a text of more than \(StatementScript.mostTextBytes) bytes.")
            }
            return TransactOperand(.text(first + second))
        }
        // The size is checked for the whole chain, so that a long one isn't a deep nest of calls.
        let (first, second) = (left.chain ?? (left.sql, 1), right.chain ?? (right.sql, 1))
        let fits = first.count + second.count <= TransactOperand.mostJoined
        let sql: SQLFragment = fits ? "\(first.sql) || \(second.sql)" : "\(left.sql) || \(right.sql)"
        var made = TransactOperand(dialect.short(sql), .text)
        made.chain = (sql, fits ? first.count + second.count : 2)
        return made
    }

    /// Rounds a double to a number of digits after the point, by a calculation that both databases perform alike.
    /// - Parameter cuts: whether to truncate instead.
    func rounded(_ operand: TransactOperand, to places: Int, cuts: Bool = false) -> TransactOperand {
        func rounded(_ number: SQLFragment) -> SQLFragment {
            guard cuts else { return dialect.sql(.round(.real), [number]) }
            let (down, up) = (dialect.sql(.floor(.real), [number]), dialect.sql(.ceiling(.real), [number]))
            return "(CASE WHEN \(number) < 0 THEN \(up) ELSE \(down) END)"
        }
        if places == 0 { return TransactOperand(rounded(operand.sql), .real) }
        var factor = 1.0
        for _ in 0..<abs(places) { factor *= 10 }
        let power = SQLFragment(.number(factor))
        let multiplied = times(operand.sql, power)
        let divided = dialect.sql(.divide(.real), [operand.sql, power])
        let whole = rounded(places > 0 ? multiplied : divided)
        return TransactOperand(
            places > 0 ? dialect.sql(.divide(.real), [whole, power]) : times(whole, power), .real)
    }

    /// Rounds a whole number, which a double may not represent: digits after the point change nothing.
    func rounded(whole number: SQLFragment, to places: Int, cuts: Bool) -> SQLFragment {
        guard places < 0 else { return number }
        var power: Int64 = 1
        for _ in places..<0 { power *= 10 }
        let (step, half) = (SQLFragment(stringLiteral: "\(power)"), SQLFragment(stringLiteral: "\(power / 2)"))
        let rest: SQLFragment = "(\(number) % \(step))"
        if cuts { return "(\(number) - \(rest))" }
        let more: SQLFragment =
            "(CASE WHEN \(rest) >= \(half) THEN \(step) WHEN \(rest) <= -\(half) THEN -\(step) ELSE 0 END)"
        return dialect.whole("(\(number) - \(rest) + \(more))")
    }

    func times(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        dialect.arithmetic(.multiply, of: .real, [left, right]) ?? "(\(left) * \(right))"
    }
}
