import Tables

extension TransactParser {
    /// Parses `IF condition statement ELSE statement`.
    mutating func branch() throws(StatementFault) -> TransactStatement {
        try nested { parser throws(StatementFault) in
            let start = parser.place
            parser.advance()
            try parser.countOperator()
            let condition = try parser.condition()
            let statements = try parser.block()
            var others: [TransactStatement] = []
            var offset = 0
            while parser.isAt(symbol: ";", offset) { offset += 1 }
            if parser.isAt("ELSE", offset) {
                for _ in 0...offset { parser.advance() }
                others = try parser.block()
            }
            return .branch(condition, statements, otherwise: others, start)
        }
    }

    /// Parses a statement, or several between BEGIN and END.
    private mutating func block() throws(StatementFault) -> [TransactStatement] {
        guard isAt("BEGIN"), !isAt("TRAN", 1), !isAt("TRANSACTION", 1), !isAt("TRY", 1) else {
            return [try statement()]
        }
        advance()
        var statements: [TransactStatement] = []
        while true {
            while take(symbol: ";") {}
            if take("END") { break }
            statements.append(try statement())
        }
        guard !statements.isEmpty else { throw unexpected(expecting: "a statement before END") }
        return statements
    }

    /// Parses BEGIN TRANSACTION and COMMIT, which have no effect: a script is one transaction.
    mutating func transaction() throws(StatementFault) -> TransactStatement {
        if !take("COMMIT") { advance() }
        if !take("TRAN"), !take("TRANSACTION") { _ = take("WORK") }
        _ = optionalName()
        return .declare([])
    }

    /// Parses what ends a script, or would print a message on a console.
    mutating func ending(_ word: String) throws(StatementFault) -> TransactStatement {
        let start = place
        advance()
        switch word {
        case "RETURN":
            if case .number = current.kind { advance() }
            return .end
        case "PRINT":
            _ = try expression()
            return .declare([])
        case "RAISERROR":
            try expect(symbol: "(")
            let arguments = try arguments()
            guard arguments.count == 3, case .literal(.integer(let severity), _) = arguments[1] else {
                throw unsupported("RAISERROR with other values than a text, a severity and a state", at: start)
            }
            // Lower severities are messages.
            return severity > 10 ? .raise(arguments[0], start) : .declare([])
        default:
            guard case .number = current.kind else { throw unsupported("THROW without a number", at: start) }
            advance()
            try expect(symbol: ",")
            let text = try expression()
            try expect(symbol: ",")
            _ = try expression()
            return .raise(text, start)
        }
    }

    /// Parses `TRUNCATE TABLE name` as a DELETE of all rows.
    mutating func truncation() throws(StatementFault) -> TransactChange {
        advance()
        try expect("TABLE")
        return TransactChange(target: try tableName())
    }
}
