import Tables

extension TransactParser {
    mutating func statement() throws(StatementFault) -> TransactStatement {
        let start = place
        guard case .word(let word) = current.kind else {
            if isAt(symbol: "(") { return .select(try query()) }
            throw unexpected(expecting: "a statement")
        }
        switch word.uppercased() {
        case "SELECT": return .select(try query())
        case "INSERT": return .insert(try insert())
        case "UPDATE", "DELETE": return .change(try change())
        case "DECLARE": return .declare(try declarations())
        case "SET": return try set()
        case "WITH": return try statementWithQueries()
        case "MERGE": return .merge(try merge())
        case "TRUNCATE": return .change(try truncation())
        case "IF": return try branch()
        case "BEGIN" where isAt("TRAN", 1) || isAt("TRANSACTION", 1), "COMMIT": return try transaction()
        case "RETURN", "PRINT", "RAISERROR", "THROW": return try ending(word.uppercased())
        case "ROLLBACK", "SAVE":
            throw start.fault("\(word.uppercased()) is not supported: a script is one transaction.")
        case let other: throw unsupported("`\(other.prefix(40))`", at: start)
        }
    }

    private mutating func insert() throws(StatementFault) -> TransactInsert {
        let start = place
        advance()
        if isAt("TOP") { throw unsupported("TOP of an INSERT") }
        _ = take("INTO")
        let table = try tableName()
        try hints()
        var columns: [TransactName] = []
        if isAt(symbol: "("), !isAt("SELECT", 1) {
            advance()
            repeat { columns.append(try columnName()) } while take(symbol: ",")
            try expect(symbol: ")")
        }
        let output = try outputs()
        let rows: TransactInsert.Rows
        if take("DEFAULT") {
            try expect("VALUES")
            rows = .defaults
        } else if take("VALUES") {
            rows = .values(try valueRows())
        } else if isAt("SELECT") || isAt(symbol: "(") {
            rows = .query(try query())
        } else {
            throw isAt("EXEC") || isAt("EXECUTE") ? unsupported("EXEC") : unexpected(expecting: "VALUES or SELECT")
        }
        return TransactInsert(table: table, columns: columns, output: output, rows: rows, place: start)
    }

    /// Parses rows of values, in which DEFAULT is nil.
    private mutating func valueRows() throws(StatementFault) -> [[TransactExpression?]] {
        var rows: [[TransactExpression?]] = []
        repeat {
            try expect(symbol: "(")
            var row: [TransactExpression?] = []
            repeat { row.append(take("DEFAULT") ? nil : try expression()) } while take(symbol: ",")
            try expect(symbol: ")")
            rows.append(row)
        } while take(symbol: ",")
        return rows
    }

    /// Parses a column's name, which may be qualified by its table.
    mutating func columnName() throws(StatementFault) -> TransactName {
        var found = try name("a column's name")
        while take(symbol: ".") { found = try name("a column's name") }
        return found
    }

    /// Parses UPDATE and DELETE.
    private mutating func change() throws(StatementFault) -> TransactChange {
        let deletes = isAt("DELETE")
        advance()
        let top = take("TOP") ? try self.top() : nil
        if deletes {
            _ = take("FROM")
            if let named = try deleteOfKnownQuery(top) { return named }
        } else if let named = try updateOfKnownQuery(top) {
            return named
        }
        let target = try tableName()
        try hints()
        if !deletes { try expect("SET") }
        let assignments = deletes ? nil : try assignments()
        let output = try outputs()
        let sources = take("FROM") ? try self.sources() : []
        let condition = take("WHERE") ? try whereCondition() : nil
        try options()
        return TransactChange(
            target: target, top: top, assignments: assignments, output: output, sources: sources, condition: condition)
    }

    /// Parses what follows SET.
    mutating func assignments() throws(StatementFault) -> [(column: TransactName, value: TransactExpression)] {
        var assignments: [(column: TransactName, value: TransactExpression)] = []
        repeat {
            if case .variable = current.kind { throw unsupported("A variable that an UPDATE sets") }
            let column = try columnName()
            assignments.append((column, try assigned(to: .column(column, of: nil))))
        } while take(symbol: ",")
        return assignments
    }

    /// Parses the value after `=`, or after `+=` and the like.
    private mutating func assigned(to old: TransactExpression) throws(StatementFault) -> TransactExpression {
        let start = place
        if take(symbol: "=") {
            if isAt("DEFAULT") { throw unsupported("DEFAULT in an UPDATE") }
            return try expression()
        }
        guard case .symbol(let text) = current.kind, text.count == 2, text.hasSuffix("="),
            let operation = TransactOperator(rawValue: String(text.prefix(1)))
        else { throw unexpected(expecting: "`=`") }
        advance()
        return .binary(operation, old, try expression(), start)
    }

    mutating func whereCondition() throws(StatementFault) -> TransactCondition {
        if isAt("CURRENT"), isAt("OF", 1) { throw unsupported("A cursor") }
        return try condition()
    }

    /// Parses `OUTPUT INSERTED.x, DELETED.*`.
    mutating func outputs(takesAction: Bool = false) throws(StatementFault) -> [TransactOutput] {
        guard take("OUTPUT") else { return [] }
        var outputs: [TransactOutput] = []
        repeat {
            let start = place
            if take("$ACTION") {
                guard takesAction else { throw start.fault("`$action` is of a MERGE alone.") }
                let name = try alias()?.text ?? "$action"
                outputs.append(TransactOutput(isBefore: false, column: nil, name: name, place: start, isAction: true))
                continue
            }
            let isBefore = isAt("DELETED")
            guard isBefore || isAt("INSERTED"), isAt(symbol: ".", 1) else {
                throw unexpected(expecting: "INSERTED or DELETED with a column")
            }
            advance()
            advance()
            let column = take(symbol: "*") ? nil : try name("a column's name")
            let alias = column == nil ? nil : try self.alias()
            outputs.append(
                TransactOutput(isBefore: isBefore, column: column, name: alias?.text ?? column?.text, place: start))
        } while take(symbol: ",")
        if isAt("INTO") { throw unsupported("OUTPUT … INTO") }
        return outputs
    }

    private mutating func declarations() throws(StatementFault) -> [(
        name: TransactName, type: TransactDataType, value: TransactExpression?
    )] {
        advance()
        var declarations: [(name: TransactName, type: TransactDataType, value: TransactExpression?)] = []
        repeat {
            let name = try variable()
            _ = take("AS")
            if isAt("TABLE") { throw unsupported("A variable that is a table") }
            if isAt("CURSOR") { throw unsupported("A cursor") }
            let type = try dataType()
            declarations.append((name, type, take(symbol: "=") ? try expression() : nil))
        } while take(symbol: ",")
        return declarations
    }

    private mutating func set() throws(StatementFault) -> TransactStatement {
        advance()
        guard case .variable = current.kind else {
            // Options that drivers and tools set before their statements have no effect here.
            for option in Self.options where take(option) {
                guard take("ON") || option == "NOCOUNT" && take("OFF") else { throw unexpected(expecting: "ON") }
                return .declare([])
            }
            throw unsupported("SET \(current.words)")
        }
        let name = try variable()
        return .set(name, try assigned(to: .variable(name)))
    }

    mutating func variable() throws(StatementFault) -> TransactName {
        guard case .variable(let text) = current.kind, !text.isEmpty else {
            throw unexpected(expecting: "a variable")
        }
        defer { advance() }
        return TransactName(text: text, place: place)
    }

    private static let options = ["NOCOUNT", "XACT_ABORT", "ANSI_NULLS", "QUOTED_IDENTIFIER"]

    /// Skips `WITH (NOLOCK)` and other lock hints, which have no effect as writers take turns. Other hints are refused.
    mutating func hints() throws(StatementFault) {
        guard isAt("WITH") || isAt(symbol: "(") && isAtHint(1) else { return }
        _ = take("WITH")
        try expect(symbol: "(")
        repeat {
            guard isAtHint() else { throw unsupported("The hint \(current.words)") }
            advance()
        } while take(symbol: ",")
        try expect(symbol: ")")
    }

    /// Returns whether there is a hint here that has no effect.
    func isAtHint(_ offset: Int = 0) -> Bool {
        ["NOLOCK", "READUNCOMMITTED", "HOLDLOCK", "SERIALIZABLE", "UPDLOCK", "ROWLOCK"].contains { isAt($0, offset) }
    }

    mutating func options() throws(StatementFault) {
        if isAt("OPTION") { throw unsupported("OPTION") }
    }
}
