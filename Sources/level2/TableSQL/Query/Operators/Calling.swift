import OData
import Tables

extension ExpressionResolver {
    /// The maximum length in code points of a text that `replace` searches for or inserts. For inserted texts, it is
    /// the limit of the Azure Node servers.
    static let maximumReplaceText = 100

    func call(_ function: Function, _ arguments: [Expression], at offset: Int) throws(QueryError) -> Operand {
        switch function {
        case .contains, .startsWith, .endsWith, .indexOf:
            try search(function, in: arguments[0], for: arguments[1], at: offset)
        case .matchesPattern: try match(arguments, at: offset)
        case .substringOf: try search(function, in: arguments[1], for: arguments[0], at: offset)
        case .length: Operand(dialect.sql(.length, [try text(arguments[0], of: function)]), .integer, at: offset)
        case .toLower: try changeCase(arguments[0], .lower, TextFold.lowered, of: function, at: offset)
        case .toUpper: try changeCase(arguments[0], .upper, TextFold.uppered, of: function, at: offset)
        case .trim: Operand(dialect.sql(.trim, [try text(arguments[0], of: function)]), .text, at: offset)
        case .concat: try concatenation(arguments, at: offset)
        case .substring: try substring(arguments, at: offset)
        case .replace: try replace(arguments, at: offset)
        case .year, .month, .day, .hour, .minute, .second, .fractionalSeconds:
            try part(function, of: arguments[0], at: offset)
        case .date, .time: try half(function, of: arguments[0], at: offset)
        case .now: present.map { Operand(.date($0), at: offset) } ?? Operand(dialect.now, .date, at: offset)
        case .floor, .ceiling, .round: try rounded(function, arguments[0], at: offset)
        }
    }

    private func concatenation(_ arguments: [Expression], at offset: Int) throws(QueryError) -> Operand {
        let (first, second) = (try joined(arguments[0]), try joined(arguments[1]))
        return Operand("(\(first) || \(second))", .text, at: offset)
    }

    private func substring(_ arguments: [Expression], at offset: Int) throws(QueryError) -> Operand {
        var operands = [try text(arguments[0], of: .substring)]
        for argument in arguments.dropFirst() {
            operands.append(try numeric(argument, of: .substring).sql(within: .primary))
        }
        return Operand(dialect.sql(.substring, operands), .text, at: offset)
    }

    private func search(
        _ function: Function, in text: Expression, for needle: Expression, at offset: Int
    ) throws(QueryError) -> Operand {
        let text = try textOperand(text, of: function)
        let needle = try textOperand(needle, of: function)
        let rule = rule(between: text, needle)
        let operands = [text.sql(within: .primary), needle.sql(within: .primary)]
        return switch function {
        case .startsWith: Operand(dialect.sql(.startsWith(rule), operands), .boolean, at: offset)
        case .endsWith: Operand(dialect.sql(.endsWith(rule), operands), .boolean, at: offset)
        case .indexOf: Operand(dialect.sql(.indexOf(rule), operands), .integer, at: offset)
        default: Operand(dialect.sql(.contains(rule), operands), .boolean, at: offset)
        }
    }

    /// Parses the pattern, which is a constant, so that errors are reported before a database sees it.
    private func match(_ arguments: [Expression], at offset: Int) throws(QueryError) -> Operand {
        guard case .literal(.text(let written), let place) = arguments[1] else {
            throw clash(
                at: arguments[1].offset, "The second argument of `matchesPattern` must be text between apostrophes.")
        }
        let pattern: TextPattern
        do throws(TextPattern.Fault) {
            pattern = try TextPattern(written)
        } catch {
            throw QueryError(option, at: place, .syntax("The pattern, at its byte \(error.offset): \(error.sentence)"))
        }
        let text = try text(arguments[0], of: .matchesPattern)
        return Operand(dialect.sql(.matches(pattern), [text]), .boolean, at: offset)
    }

    /// Changes the case of constants here, so that a query that folds both sides itself costs no more than another.
    private func changeCase(
        _ argument: Expression, _ operation: SQLOperation, _ change: (String) -> String, of function: Function,
        at offset: Int
    ) throws(QueryError) -> Operand {
        let operand = try textOperand(argument, of: function)
        if case .text(let text) = operand.literal { return Operand(.text(change(text)), at: offset) }
        return Operand(dialect.sql(operation, [operand.sql(within: .primary)]), .text, at: offset)
    }

    /// `replace` with the limits of the Azure Node servers: the replacement is a short constant, and calls aren't
    /// nested. The search text is limited too, as neither database can be interrupted during a search.
    private func replace(_ arguments: [Expression], at offset: Int) throws(QueryError) -> Operand {
        for argument in arguments {
            guard let inner = argument.offsetOfReplace else { continue }
            throw QueryError(option, at: inner, .syntax("`replace` can't stand inside another `replace`."))
        }
        for (argument, number) in [(arguments[1], "second"), (arguments[2], "third")] {
            guard case .literal(.text(let constant), let place) = argument else {
                let sentence = "The \(number) argument of `replace` must be text between apostrophes."
                throw clash(at: argument.offset, sentence)
            }
            let length = constant.unicodeScalars.count
            guard length <= Self.maximumReplaceText else {
                throw QueryError(
                    option, at: place, .overLimit(.characters, limit: Self.maximumReplaceText, found: length))
            }
        }
        let text = try textOperand(arguments[0], of: .replace)
        let pattern = try textOperand(arguments[1], of: .replace)
        let operands = try [text, pattern, resolve(arguments[2])].map { $0.sql(within: .primary) }
        return Operand(dialect.sql(.replace(rule(between: text, pattern)), operands), .text, at: offset)
    }

    /// Leaves whole numbers as they are: beyond 2^53 they would not be exact as doubles.
    private func rounded(
        _ function: Function, _ argument: Expression, at offset: Int
    ) throws(QueryError) -> Operand {
        let operand = try numeric(argument, of: function)
        let kind = operand.numberKind
        if kind == .whole { return operand }
        let operation: SQLOperation =
            switch function {
            case .floor: .floor(kind)
            case .ceiling: .ceiling(kind)
            default: .round(kind)
            }
        return Operand(
            dialect.sql(operation, [operand.sql(within: .primary)]), ValueType(kind), at: offset)
    }

    /// Returns a text to concatenate with another; in v1 and v2 also a number or a column of numbers.
    private func joined(_ argument: Expression) throws(QueryError) -> SQLFragment {
        let operand = try resolve(argument)
        let sql = operand.sql(within: .primary)
        if takesOtherKinds, operand.type.isNumber, operand.field != nil || operand.literal != nil {
            return dialect.sql(.textOfNumber(operand.numberKind), [sql])
        }
        try checkText(operand, of: .concat)
        return sql
    }

    private func text(_ argument: Expression, of function: Function) throws(QueryError) -> SQLFragment {
        try textOperand(argument, of: function).sql(within: .primary)
    }

    private func textOperand(_ argument: Expression, of function: Function) throws(QueryError) -> Operand {
        let operand = try resolve(argument)
        try checkText(operand, of: function)
        return operand
    }

    private func checkText(_ operand: Operand, of function: Function) throws(QueryError) {
        guard operand.type.isText || operand.type == .guid || operand.type == .null else {
            throw mismatch(function, takes: "text", not: operand)
        }
    }

    private func numeric(_ argument: Expression, of function: Function) throws(QueryError) -> Operand {
        let operand = try resolve(argument)
        guard operand.type.isNumber || operand.type == .null else {
            throw mismatch(function, takes: "a number", not: operand)
        }
        return operand
    }

    func mismatch(_ function: Function, takes expected: String, not operand: Operand) -> QueryError {
        clash(at: operand.offset, "`\(function.rawValue)` takes \(expected) here, not \(operand.description).")
    }
}

extension Expression {
    /// The position of the first `replace` in the expression; nil if there is none.
    fileprivate var offsetOfReplace: Int? {
        switch self {
        case .literal, .column: nil
        case .not(let inner, _), .negate(let inner, _): inner.offsetOfReplace
        case .binary(_, let left, let right, _): left.offsetOfReplace ?? right.offsetOfReplace
        case .among(let value, _, _): value.offsetOfReplace
        case .call(.replace, _, let offset): offset
        case .call(_, let arguments, _): arguments.lazy.compactMap(\.offsetOfReplace).first
        }
    }
}
