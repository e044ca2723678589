import Tables

extension TransactParser {
    /// Parses an expression with a value.
    mutating func expression() throws(StatementFault) -> TransactExpression {
        try nested { parser throws(StatementFault) in
            var left = try parser.product()
            while true {
                let start = parser.place
                let operation: TransactOperator
                if parser.take(symbol: "+") {
                    operation = .add
                } else if parser.take(symbol: "-") {
                    operation = .subtract
                } else {
                    for symbol in ["&", "|", "^", "~", "||"] where parser.isAt(symbol: symbol) {
                        throw parser.unsupported("The operator `\(symbol)`")
                    }
                    return left
                }
                try parser.countCalculation()
                left = .binary(operation, left, try parser.product(), start)
            }
        }
    }

    private mutating func product() throws(StatementFault) -> TransactExpression {
        var left = try signed()
        while case .symbol(let symbol) = current.kind, ["*", "/", "%"].contains(symbol),
            let operation = TransactOperator(rawValue: symbol)
        {
            let start = place
            advance()
            try countCalculation()
            left = .binary(operation, left, try signed(), start)
        }
        return left
    }

    private mutating func signed() throws(StatementFault) -> TransactExpression {
        let start = place
        if take(symbol: "+") { return try nested { parser throws(StatementFault) in try parser.signed() } }
        guard take(symbol: "-") else { return try primary() }
        if case .number(let text) = current.kind {
            advance()
            return .literal(try number("-" + text, at: start), start)
        }
        return try nested { parser throws(StatementFault) in .negated(try parser.signed(), start) }
    }

    mutating func primary() throws(StatementFault) -> TransactExpression {
        let expression = try operand()
        if isAt("COLLATE") { throw unsupported("COLLATE") }
        if isAt("AT"), isAt("TIME", 1) { throw unsupported("AT TIME ZONE") }
        return expression
    }

    private mutating func operand() throws(StatementFault) -> TransactExpression {
        let start = place
        switch current.kind {
        case .text(let text):
            advance()
            return .literal(.text(text), start)
        case .number(let text):
            advance()
            return .literal(try number(text, at: start), start)
        case .binary:
            throw unsupported("A binary constant")
        case .placeholder(let index):
            advance()
            return .placeholder(index, start)
        case .variable:
            return .variable(try variable())
        case .global(let name):
            advance()
            switch name.uppercased() {
            case "ROWCOUNT": return .rowCount(start)
            case "IDENTITY": return identity(at: start)
            default: throw unsupported("`@@\(name.prefix(40))`", at: start)
            }
        case .symbol("("):
            return try parenthesized()
        case .word(let word):
            return try operand(word.uppercased(), at: start)
        case .name:
            return try column()
        case .symbol, .end:
            throw unexpected(expecting: "a value")
        }
    }

    private mutating func parenthesized() throws(StatementFault) -> TransactExpression {
        let start = place
        advance()
        let inner: TransactExpression
        if isAt("SELECT") {
            inner = .subquery(try query(), start)
        } else {
            inner = try expression()
        }
        try expect(symbol: ")")
        return inner
    }

    private mutating func operand(_ word: String, at start: TransactPlace) throws(StatementFault) -> TransactExpression
    {
        switch word {
        case "NULL":
            advance()
            return .literal(.null, start)
        case "CASE":
            return try nested { parser throws(StatementFault) in try parser.cases() }
        case "CURRENT_TIMESTAMP":
            advance()
            return .call(.now, [], start)
        default:
            if isAt(symbol: "(", 1) { return try call(word, at: start) }
            return try column()
        }
    }

    private mutating func column() throws(StatementFault) -> TransactExpression {
        var last = try name("a value")
        if isAt(symbol: ":"), isAt(symbol: ":", 1) { throw unsupported("`\(last.text.prefix(40))::`", at: last.place) }
        var table: TransactName?
        while take(symbol: ".") {
            table = last
            last = try name("a column's name")
        }
        if isAt(symbol: "(") { throw unsupported("The function `\(last.text.prefix(40))`", at: last.place) }
        return .column(last, of: table)
    }

    private mutating func cases() throws(StatementFault) -> TransactExpression {
        let start = place
        advance()
        let subject = isAt("WHEN") ? nil : try expression()
        var branches: [(TransactCondition, TransactExpression)] = []
        while take("WHEN") {
            let when = place
            let condition: TransactCondition
            if let subject {
                condition = .compare(.equal, subject, try expression(), when)
            } else {
                condition = try self.condition()
            }
            try expect("THEN")
            branches.append((condition, try expression()))
            try countOperator()
        }
        guard !branches.isEmpty else { throw unexpected(expecting: "WHEN") }
        let otherwise = take("ELSE") ? try expression() : nil
        try expect("END")
        return .cases(branches, otherwise: otherwise, start)
    }

    private mutating func call(_ name: String, at start: TransactPlace) throws(StatementFault) -> TransactExpression {
        advance()
        advance()
        switch name {
        case "COUNT", "COUNT_BIG", "SUM", "AVG", "MIN", "MAX":
            return try aggregate(name == "COUNT_BIG" ? .count : TransactAggregate(rawValue: name) ?? .count, at: start)
        case _ where TransactWindow.names.contains(name):
            return try window(.function(name, try arguments()), at: start)
        case "IIF":
            let condition = try condition()
            try expect(symbol: ",")
            let first = try expression()
            try expect(symbol: ",")
            let second = try expression()
            try expect(symbol: ")")
            return .cases([(condition, first)], otherwise: second, start)
        case "CHOOSE":
            let arguments = try arguments()
            guard arguments.count > 1 else { throw start.fault("`CHOOSE` takes another number of arguments.") }
            var branches: [(TransactCondition, TransactExpression)] = []
            for (number, value) in zip(Int64(1)..., arguments.dropFirst()) {
                branches.append((.compare(.equal, arguments[0], .literal(.integer(number), start), start), value))
                try countOperator()
            }
            return .cases(branches, otherwise: nil, start)
        case "CAST":
            let value = try expression()
            try expect("AS")
            let type = try dataType()
            try expect(symbol: ")")
            return .cast(value, type, style: nil, start)
        case "CONVERT":
            let type = try dataType()
            try expect(symbol: ",")
            let value = try expression()
            let style = take(symbol: ",") ? try expression() : nil
            try expect(symbol: ")")
            return .cast(value, type, style: style, start)
        case "DATEADD", "DATEDIFF", "DATEPART":
            guard case .word(let word) = current.kind, let part = TransactDatePart(word) else {
                throw unexpected(expecting: "a part of a date")
            }
            advance()
            try expect(symbol: ",")
            return .dateCall(name, part, try arguments(), start)
        default:
            guard let function = TransactFunction(rawValue: name) else {
                throw unsupported("The function `\(name.prefix(40))`", at: start)
            }
            let arguments = try arguments()
            if isAt("OVER") { throw unsupported("OVER") }
            return function == .identity ? identity(at: start) : .call(function, arguments, start)
        }
    }

    /// Parses the arguments of a call and the closing parenthesis.
    mutating func arguments() throws(StatementFault) -> [TransactExpression] {
        if take(symbol: ")") { return [] }
        var arguments: [TransactExpression] = []
        repeat { arguments.append(try expression()) } while take(symbol: ",")
        try expect(symbol: ")")
        return arguments
    }

    private mutating func identity(at start: TransactPlace) -> TransactExpression {
        asksForIdentity = true
        return .call(.identity, [], start)
    }

    private mutating func aggregate(
        _ aggregate: TransactAggregate, at start: TransactPlace
    ) throws(StatementFault) -> TransactExpression {
        let isDistinct = take("DISTINCT")
        if !isDistinct { _ = take("ALL") }
        var argument: TransactExpression?
        if aggregate != .count || isDistinct || !take(symbol: "*") { argument = try expression() }
        try expect(symbol: ")")
        guard isAt("OVER") else { return .aggregate(aggregate, isDistinct: isDistinct, argument, start) }
        if isDistinct { throw unsupported("DISTINCT with OVER") }
        return try window(.aggregate(aggregate, argument), at: start)
    }

    /// Parses the name of a type with its parameters in parentheses.
    mutating func dataType() throws(StatementFault) -> TransactDataType {
        let start = place
        let word: String
        switch current.kind {
        case .word(let text), .name(let text): word = text.uppercased()
        default: throw unexpected(expecting: "a type")
        }
        advance()
        var sizes: [Int?] = []
        if take(symbol: "(") {
            repeat {
                if take("MAX") {
                    sizes.append(nil)
                } else if case .number(let text) = current.kind, let size = Int(text), size <= 8_000 {
                    advance()
                    sizes.append(size)
                } else {
                    throw unexpected(expecting: "a size")
                }
            } while take(symbol: ",")
            try expect(symbol: ")")
        }
        switch word {
        case "NVARCHAR", "VARCHAR", "NCHAR", "CHAR", "NTEXT", "TEXT", "SYSNAME": return .text(sizes.first ?? nil)
        case "UNIQUEIDENTIFIER": return .text(36)
        case "INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT": return .whole
        case "FLOAT", "REAL": return .real
        case "DECIMAL", "NUMERIC", "DEC": return .fixed(sizes.count > 1 ? sizes[1] ?? 0 : 0)
        case "MONEY", "SMALLMONEY": return .fixed(4)
        case "BIT": return .boolean
        case "DATETIME", "DATETIME2", "SMALLDATETIME", "DATETIMEOFFSET": return .date
        case "DATE": return .day
        default: throw unsupported("The type `\(word.prefix(40))`", at: start)
        }
    }

    private func number(_ text: String, at place: TransactPlace) throws(StatementFault) -> Value {
        if let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else {
            throw place.fault("`\(text.prefix(40))` is no number that can be kept.")
        }
        return .number(number)
    }
}
