/// Reads `$filter` and `$orderby` by precedence climbing: from `or`, which binds least, to the signs.
struct ExpressionParser {
    private var lexer: Lexer
    /// The token that is looked at and not taken yet.
    private var token: Token
    /// Whether the token stands right behind an operator, a sign or `not`.
    private var followsOperator = false
    private var depth = 0
    private var nodes = 0

    private init(_ text: String, option: String) throws(QueryError) {
        lexer = Lexer(text, option: option)
        token = try lexer.next()
    }

    static func filter(_ text: String, option: String) throws(QueryError) -> Expression {
        var parser = try ExpressionParser(text, option: option)
        let expression = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpectedAfterOperand() }
        return expression
    }

    /// Reads terms separated by commas. A column that is named again has no further effect.
    static func order(_ text: String, option: String) throws(QueryError) -> [OrderTerm] {
        var parser = try ExpressionParser(text, option: option)
        var terms: [OrderTerm] = []
        var columns: Set<String> = []
        while true {
            let expression = try parser.expression()
            let term = OrderTerm(expression, isDescending: try parser.direction())
            if case .column(let name, _) = expression {
                if columns.insert(name.lowercased()).inserted { terms.append(term) }
            } else {
                terms.append(term)
            }
            switch parser.token.kind {
            case .end:
                return terms
            case .comma:
                try parser.advance()
            default:
                throw parser.lexer.error(at: parser.token.start, "Expected `asc`, `desc` or a comma.")
            }
        }
    }

    /// Takes `asc` or `desc` in any case.
    private mutating func direction() throws(QueryError) -> Bool {
        guard token.kind == .word else { return false }
        switch lexer.text(token).lowercased() {
        case "asc":
            try advance()
            return false
        case "desc":
            try advance()
            return true
        default:
            return false
        }
    }

    /// Reads an expression of operators that bind tighter than the given strength.
    private mutating func expression(above strength: Int = 0) throws(QueryError) -> Expression {
        var left = try unary()
        while let binary = currentOperator, binary.strength > strength {
            let offset = token.start
            try advance()
            followsOperator = true
            let right = try expression(above: binary.strength)
            left = .binary(binary, left, right, at: offset)
            try count()
        }
        return left
    }

    /// Reads an operand with the signs and `not`s before it.
    private mutating func unary() throws(QueryError) -> Expression {
        let start = token.start
        if token.kind == .minus { return .negate(try operandOfPrefix(), at: start) }
        if token.kind == .word, lexer.text(token) == "not", try !isColumnDespiteItsName() {
            return .not(try operandOfPrefix(), at: start)
        }
        return try primary()
    }

    private mutating func operandOfPrefix() throws(QueryError) -> Expression {
        try enter()
        try advance()
        followsOperator = true
        let operand = try unary()
        depth -= 1
        try count()
        return operand
    }

    private mutating func primary() throws(QueryError) -> Expression {
        let start = token.start
        switch token.kind {
        case .literal(let literal):
            try advance()
            try count()
            return .literal(literal, at: start)
        case .open:
            try enter()
            try advance()
            let inner = try expression()
            try close(openedAt: start)
            depth -= 1
            return inner
        case .word:
            return try named()
        case .end:
            throw lexer.error(at: start, "Expected a column, a value or a function, and the text ends.")
        case .close, .comma, .minus:
            throw lexer.error(
                at: start, "Expected a column, a value or a function in front of `\(lexer.text(token))`.")
        }
    }

    /// Reads what a word begins: a constant, a call or a column.
    private mutating func named() throws(QueryError) -> Expression {
        let word = token
        let name = lexer.text(word)
        if currentOperator != nil, try !isColumnDespiteItsName() {
            throw lexer.error(at: word.start, "Expected a column, a value or a function in front of `\(name)`.")
        }
        try advance()
        try count()
        if token.kind == .open { return try call(name, at: word.start) }
        switch name {
        case "true": return .literal(.boolean(true), at: word.start)
        case "false": return .literal(.boolean(false), at: word.start)
        case "null": return .literal(.null, at: word.start)
        default: return .column(name, at: word.start)
        }
    }

    private mutating func call(_ name: String, at start: Int) throws(QueryError) -> Expression {
        guard let function = Function(rawValue: name) else {
            throw QueryError(lexer.option, at: start, .unknownFunction(name))
        }
        let opening = token.start
        try enter(at: start)
        try advance()
        var arguments: [Expression] = []
        if token.kind != .close {
            arguments.append(try expression())
            while token.kind == .comma {
                try advance()
                arguments.append(try expression())
            }
        }
        try close(openedAt: opening)
        depth -= 1
        guard function.arity.contains(arguments.count) else {
            let reason = QueryError.Reason.argumentCount(function, expected: function.arity, found: arguments.count)
            throw QueryError(lexer.option, at: start, reason)
        }
        return .call(function, arguments, at: start)
    }

    private mutating func close(openedAt opening: Int) throws(QueryError) {
        guard token.kind == .close else {
            if token.kind == .end { throw lexer.error(at: opening, "This parenthesis is never closed.") }
            throw unexpectedAfterOperand()
        }
        try advance()
    }
}

extension ExpressionParser {
    private mutating func advance() throws(QueryError) {
        followsOperator = false
        token = try lexer.next()
    }

    private var currentOperator: BinaryOperator? {
        guard token.kind == .word, token.end - token.start <= 3 else { return nil }
        return BinaryOperator(rawValue: lexer.text(token))
    }

    /// Whether an operator's name in the place of an operand can only mean a column: an operator follows it, or it
    /// stands alone in parentheses, as an argument or as an order term.
    private func isColumnDespiteItsName() throws(QueryError) -> Bool {
        var ahead = self
        try ahead.advance()
        switch ahead.token.kind {
        case .word: return ahead.currentOperator != nil || !followsOperator && ahead.isDirection
        case .end, .close, .comma: return !followsOperator
        default: return false
        }
    }

    private var isDirection: Bool {
        ["asc", "desc"].contains(lexer.text(token).lowercased())
    }

    private mutating func enter(at offset: Int? = nil) throws(QueryError) {
        depth += 1
        guard depth <= QueryLimits.nesting else {
            let reason = QueryError.Reason.overLimit(limit: QueryLimits.nesting, found: depth)
            throw QueryError(lexer.option, at: offset ?? token.start, reason)
        }
    }

    /// Counts a node that has just been read.
    private mutating func count() throws(QueryError) {
        nodes += 1
        guard nodes <= QueryLimits.nodes else {
            let reason = QueryError.Reason.overLimit(limit: QueryLimits.nodes, found: nodes)
            throw QueryError(lexer.option, at: token.start, reason)
        }
    }

    private func unexpectedAfterOperand() -> QueryError {
        let found = lexer.text(token)
        let sentence =
            switch token.kind {
            case .close: "This parenthesis closes nothing."
            case .comma: "A comma stands only between the arguments of a function."
            case .word where BinaryOperator(rawValue: found.lowercased()) != nil:
                "Operators are written in lower case: `\(found.lowercased())`."
            default: "Expected an operator in front of `\(Lexer.shortened(found))`."
            }
        return lexer.error(at: token.start, sentence)
    }
}

extension BinaryOperator {
    /// How tightly the operator binds its operands; all are left-associative.
    fileprivate var strength: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual: 3
        case .add, .subtract: 4
        case .multiply, .divide, .modulo: 5
        }
    }
}
