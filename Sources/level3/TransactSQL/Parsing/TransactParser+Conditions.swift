import Tables

extension TransactParser {
    /// Parses a condition.
    mutating func condition() throws(StatementFault) -> TransactCondition {
        try nested { parser throws(StatementFault) in
            var members = [try parser.conjunction()]
            while parser.take("OR") {
                try parser.countOperator()
                members.append(try parser.conjunction())
            }
            return members.count == 1 ? members[0] : .any(members)
        }
    }

    private mutating func conjunction() throws(StatementFault) -> TransactCondition {
        var members = [try negation()]
        while take("AND") {
            try countOperator()
            members.append(try negation())
        }
        return members.count == 1 ? members[0] : .all(members)
    }

    private mutating func negation() throws(StatementFault) -> TransactCondition {
        guard take("NOT") else { return try predicate() }
        return try nested { parser throws(StatementFault) in .not(try parser.negation()) }
    }

    private mutating func predicate() throws(StatementFault) -> TransactCondition {
        let start = place
        if take("EXISTS") {
            try expect(symbol: "(")
            let query = try query()
            try expect(symbol: ")")
            return .exists(query, start)
        }
        if isAt(symbol: "("), opensCondition() {
            advance()
            let condition = try condition()
            try expect(symbol: ")")
            return condition
        }
        let left = try expression()
        let operation = place
        if case .symbol(let symbol) = current.kind, let comparison = TransactComparison(symbol: symbol) {
            advance()
            if isAt("ALL") || isAt("ANY") || isAt("SOME") { throw unsupported(current.words) }
            return .compare(comparison, left, try expression(), operation)
        }
        if take("IS") {
            let isNegated = take("NOT")
            try expect("NULL")
            return isNegated ? .not(.isNull(left, operation)) : .isNull(left, operation)
        }
        let isNegated = take("NOT")
        guard let condition = try test(of: left, at: operation) else {
            throw unexpected(expecting: "a comparison")
        }
        return isNegated ? .not(condition) : condition
    }

    private mutating func test(
        of left: TransactExpression, at start: TransactPlace
    ) throws(StatementFault) -> TransactCondition? {
        if take("LIKE") {
            let pattern = try expression()
            return .like(left, pattern, escape: take("ESCAPE") ? try expression() : nil, start)
        }
        if take("BETWEEN") {
            let least = try expression()
            try expect("AND")
            return .between(left, least, try expression(), start)
        }
        guard take("IN") else { return nil }
        try expect(symbol: "(")
        let condition: TransactCondition
        if isAt("SELECT") {
            condition = .amongRows(left, try query(), start)
        } else {
            var members: [TransactExpression] = []
            repeat { members.append(try expression()) } while take(symbol: ",")
            condition = .among(left, members, start)
        }
        try expect(symbol: ")")
        return condition
    }

    /// Returns whether the parenthesis here encloses a condition rather than a value, judging by its contents outside
    /// of calls, subqueries and cases.
    private func opensCondition() -> Bool {
        var offset = 0
        // Whether each open parenthesis encloses a condition or a value, rather than a call or a subquery.
        var plain: [Bool] = []
        var cases = 0
        while true {
            let isOutside = cases > 0 || plain.contains(false)
            switch peek(offset).kind {
            case .end: return true
            case .symbol("("):
                var isCall = isAt("SELECT", offset + 1)
                if offset > 0, case .word = peek(offset - 1).kind { isCall = true }
                plain.append(!isCall)
                guard plain.count <= Self.deepest else { return true }
            case .symbol(")"):
                plain.removeLast()
                if plain.isEmpty { return false }
            case .symbol(let symbol) where !isOutside && TransactComparison(symbol: symbol) != nil:
                return true
            case .word(let word):
                switch word.uppercased() {
                case "CASE": cases += 1
                case "END": cases -= 1
                case "AND", "OR", "NOT", "LIKE", "IN", "IS", "BETWEEN", "EXISTS": if !isOutside { return true }
                default: break
                }
            default: break
            }
            offset += 1
        }
    }
}
