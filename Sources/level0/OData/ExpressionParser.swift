import ByteText

/// Parses `$filter` and `$orderby` by precedence climbing: from `or`, which binds loosest, to the signs.
struct ExpressionParser {
    private var lexer: Lexer
    /// The current token, which has not been consumed yet.
    private var token: Token
    /// Whether the token directly follows an operator, a sign or `not`.
    private var followsOperator = false
    private var depth = 0
    /// The height of the tree that was last parsed, where a chain of one operator counts once.
    private var height = 0
    private var nodes = 0

    private init(
        _ text: String, option: String, language: QueryLanguage, takesParameters: Bool = false
    ) throws(QueryError) {
        lexer = Lexer(text, option: option, language: language, takesParameters: takesParameters)
        token = try lexer.next()
    }

    static func filter(
        _ text: String, option: String, language: QueryLanguage, takesParameters: Bool = false
    ) throws(QueryError) -> Expression {
        var parser = try ExpressionParser(
            text, option: option, language: language, takesParameters: takesParameters)
        let expression = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpectedAfterOperand() }
        return expression
    }

    /// Parses terms separated by commas. A column that is named again has no further effect.
    static func order(_ text: String, option: String, language: QueryLanguage) throws(QueryError) -> [OrderTerm] {
        var parser = try ExpressionParser(text, option: option, language: language)
        var terms: [OrderTerm] = []
        var columns: Set<ExactText> = []
        while true {
            let start = parser.token.start
            let expression = try parser.expression()
            let term = OrderTerm(expression, isDescending: try parser.direction())
            if case .column(let name, _) = expression {
                if columns.insert(ExactText(name.lowercased())).inserted { terms.append(term) }
            } else {
                terms.append(term)
            }
            try parser.check(terms.count, .orderTerms, within: QueryLimits.orderTerms, at: start)
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

    /// Consumes `asc` or `desc` in any case.
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

    /// Parses an expression of operators that bind tighter than the given strength.
    ///
    /// Leading parentheses are kept in a list and use no stack: long chains come grouped from the left.
    private mutating func expression(above strength: Int = 0) throws(QueryError) -> Expression {
        let openings = try leadingParentheses()
        if let first = openings.first { try enter(at: first) }
        var left = try operators(after: try unary(), above: openings.isEmpty ? strength : 0)
        for index in openings.indices.reversed() {
            try close(openedAt: openings[index])
            left = try operators(after: left, above: index == 0 ? strength : 0)
        }
        if !openings.isEmpty { depth -= 1 }
        return left
    }

    /// Consumes the opening parentheses at this position.
    /// - Returns: their positions.
    private mutating func leadingParentheses() throws(QueryError) -> [Int] {
        var openings: [Int] = []
        while token.kind == .open {
            openings.append(token.start)
            try check(openings.count, .parentheses, within: QueryLimits.leadingParentheses, at: token.start)
            try advance()
        }
        return openings
    }

    /// Parses the operators after an operand that bind tighter than the given strength, with their right sides.
    private mutating func operators(after operand: Expression, above strength: Int) throws(QueryError) -> Expression {
        var left = operand
        while true {
            let (offset, leftHeight) = (token.start, height)
            if isAtIn, QueryLanguage.strengthOfIn > strength {
                try advance()
                left = .among(left, try list(), at: offset)
                height = leftHeight + 1
            } else if let binary = currentOperator, lexer.language.strength(of: binary) > strength {
                try advance()
                followsOperator = true
                let right = try expression(above: lexer.language.strength(of: binary))
                height = left.isChain(of: binary) ? max(leftHeight, height + 1) : max(leftHeight, height) + 1
                left = .binary(binary, left, right, at: offset)
            } else {
                return left
            }
            try check(height, .levels, within: QueryLimits.nesting, at: offset)
            try count()
        }
    }

    /// Parses an operand with any signs and `not`s before it.
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
        height += 1
        try count()
        return operand
    }

    private mutating func primary() throws(QueryError) -> Expression {
        let start = token.start
        switch token.kind {
        case .literal(let literal):
            try advance()
            height = 0
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

    /// Parses what a word begins: a constant, a call or a column.
    private mutating func named() throws(QueryError) -> Expression {
        let word = token
        let name = lexer.text(word)
        if currentOperator != nil, try !isColumnDespiteItsName() {
            throw lexer.error(at: word.start, "Expected a column, a value or a function in front of `\(name)`.")
        }
        try advance()
        if token.kind == .open { return try call(name, at: word.start) }
        height = 0
        if let constant = constant(name) { return .literal(constant, at: word.start) }
        try count()
        return .column(lexer.language.columnName(name), at: word.start)
    }

    /// Returns the constant that a word denotes.
    private func constant(_ name: String) -> Literal? {
        switch name {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "null": .null
        case "NaN" where lexer.language.isOData4: .real(.nan)
        case "INF" where lexer.language.isOData4: .real(.infinity)
        default: nil
        }
    }

    private mutating func call(_ name: String, at start: Int) throws(QueryError) -> Expression {
        if lexer.language.isOData4, name.lowercased() == "cast" { return try cast(at: start) }
        guard let function = lexer.language.function(name) else {
            if let sentence = lexer.language.refusal(ofCall: name) { throw lexer.error(at: start, sentence) }
            throw QueryError(lexer.option, at: start, .unknownFunction(name))
        }
        try count()
        let opening = token.start
        try enter(at: start)
        try advance()
        var arguments: [Expression] = []
        var highest = 0
        if token.kind != .close {
            arguments.append(try expression())
            highest = height
            while token.kind == .comma {
                try advance()
                arguments.append(try expression())
                highest = max(highest, height)
            }
        }
        try close(openedAt: opening)
        depth -= 1
        height = highest + 1
        try check(height, .levels, within: QueryLimits.nesting, at: start)
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
    /// Parses a list of constants in parentheses, the right side of `in`.
    private mutating func list() throws(QueryError) -> [Expression] {
        let opening = token.start
        guard token.kind == .open else { throw lexer.error(at: opening, "Expected a list in parentheses after `in`.") }
        var values: [Expression] = []
        repeat {
            try advance()
            try check(values.count + 1, .listValues, within: QueryLimits.listLength, at: token.start)
            let (start, nodesBefore) = (token.start, nodes)
            guard case .literal(let literal, _) = try unary() else {
                throw lexer.error(at: start, "The list of `in` holds constants only.")
            }
            nodes = nodesBefore
            values.append(.literal(literal, at: start))
        } while token.kind == .comma
        try close(openedAt: opening)
        return values
    }

    /// Parses the rest of `cast(value,Edm.Type)` and returns the resulting constant.
    private mutating func cast(at start: Int) throws(QueryError) -> Expression {
        let opening = token.start
        try enter(at: start)
        try advance()
        let value = try expression()
        guard token.kind == .comma else {
            throw lexer.error(at: token.start, "Expected a comma and a type such as `Edm.Date`.")
        }
        try advance()
        guard token.kind == .word else { throw lexer.error(at: token.start, "Expected a type such as `Edm.Date`.") }
        let (type, place) = (lexer.text(token), token.start)
        try advance()
        try close(openedAt: opening)
        depth -= 1
        guard case .literal(let literal, _) = value else {
            throw lexer.error(at: value.offset, "`cast` takes a constant.")
        }
        guard let result = literal.cast(to: type) else {
            throw lexer.error(at: place, "The value can't be cast to `\(Lexer.shortened(type))`.")
        }
        height = 0
        return .literal(result, at: start)
    }

    private mutating func advance() throws(QueryError) {
        followsOperator = false
        token = try lexer.next()
    }

    private var isAtIn: Bool {
        lexer.language.isOData4 && token.kind == .word && token.end - token.start == 2 && lexer.text(token) == "in"
    }

    private var currentOperator: BinaryOperator? {
        guard token.kind == .word, token.end - token.start <= 5 else { return nil }
        return lexer.language.binaryOperator(lexer.text(token))
    }

    /// Returns whether an operator's name in the position of an operand can only mean a column: an operator follows it,
    /// or it stands alone in parentheses, as an argument or as an order term.
    private func isColumnDespiteItsName() throws(QueryError) -> Bool {
        var ahead = self
        try ahead.advance()
        switch ahead.token.kind {
        case .word: return ahead.currentOperator != nil || ahead.isAtIn || !followsOperator && ahead.isDirection
        case .end, .close, .comma: return !followsOperator
        default: return false
        }
    }

    private var isDirection: Bool {
        ["asc", "desc"].contains(lexer.text(token).lowercased())
    }

    private mutating func enter(at offset: Int? = nil) throws(QueryError) {
        depth += 1
        try check(depth, .levels, within: QueryLimits.nesting, at: offset ?? token.start)
    }

    /// Counts a node that has just been parsed.
    private mutating func count() throws(QueryError) {
        nodes += 1
        try check(nodes, .nodes, within: QueryLimits.nodes, at: token.start)
    }

    private func check(
        _ found: Int, _ counted: QueryError.Counted, within limit: Int, at offset: Int
    ) throws(QueryError) {
        guard found > limit else { return }
        throw QueryError(lexer.option, at: offset, .overLimit(counted, limit: limit, found: found))
    }

    private func unexpectedAfterOperand() -> QueryError {
        let found = lexer.text(token)
        let sentence =
            switch token.kind {
            case .close: "This parenthesis closes nothing."
            case .comma: "A comma stands only between the arguments of a function."
            case .word where lexer.language.binaryOperator(found.lowercased()) != nil:
                "Operators are written in lower case: `\(found.lowercased())`."
            default: "Expected an operator in front of `\(Lexer.shortened(found))`."
            }
        return lexer.error(at: token.start, sentence)
    }
}

extension Expression {
    /// Returns whether code that reads the tree handles the expression and the operator after it in one step.
    fileprivate func isChain(of joint: BinaryOperator) -> Bool {
        guard case .binary(let binary, _, _, _) = self else { return false }
        switch joint {
        case .and, .or: return binary == joint
        default: return binary != .and && binary != .or
        }
    }
}
