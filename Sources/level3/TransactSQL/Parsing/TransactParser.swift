import Tables

/// A recursive-descent parser for scripts, with limits on its depth.
struct TransactParser {
    private let tokens: [TransactToken]
    private var index = 0
    private var depth = 0
    private var operators = 0
    private var calculations = 0
    /// The named queries of a WITH, for the statement after it.
    var known: [KnownQuery] = []
    /// The name of the query being parsed.
    var definesKnown: TransactName?
    /// The number of queries that the names of a statement expand to.
    var knownWeight = 0
    /// Whether any statement uses SCOPE_IDENTITY.
    var asksForIdentity = false

    /// The maximum nesting depth of parentheses, subqueries and cases.
    static let deepest = 40
    /// The maximum number of operators in a script: to a database, a long chain of them is as deep as parentheses.
    static let mostOperators = 500
    /// The maximum number of those that calculate, each of which is nested in the next.
    static let mostCalculations = 100

    /// Parses all statements of a script.
    /// - Returns: the statements, and whether any of them uses SCOPE_IDENTITY.
    static func statements(of text: String) throws(StatementFault) -> ([TransactStatement], asksForIdentity: Bool) {
        var parser = TransactParser(tokens: try TransactLexer.tokens(of: text))
        var statements: [TransactStatement] = []
        while true {
            while parser.take(symbol: ";") {}
            if parser.current.kind == .end { break }
            statements.append(try parser.statement())
        }
        guard !statements.isEmpty else { throw StatementFault("There is no statement.") }
        return (statements, parser.asksForIdentity)
    }

    // MARK: Tokens

    var current: TransactToken { tokens[index] }
    var place: TransactPlace { current.place }

    func peek(_ offset: Int = 1) -> TransactToken { tokens[min(index + offset, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    func isAt(_ keyword: String, _ offset: Int = 0) -> Bool {
        if case .word(let word) = peek(offset).kind { word.uppercased() == keyword } else { false }
    }

    func isAt(symbol: String, _ offset: Int = 0) -> Bool { peek(offset).kind == .symbol(symbol) }

    mutating func take(_ keyword: String) -> Bool {
        guard isAt(keyword) else { return false }
        advance()
        return true
    }

    mutating func take(symbol: String) -> Bool {
        guard isAt(symbol: symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ keyword: String) throws(StatementFault) {
        guard take(keyword) else { throw unexpected(expecting: keyword) }
    }

    mutating func expect(symbol: String) throws(StatementFault) {
        guard take(symbol: symbol) else { throw unexpected(expecting: "`\(symbol)`") }
    }

    func unexpected(expecting what: String) -> StatementFault {
        place.fault("Expected \(what), but found \(current.words).")
    }

    /// Returns the fault for T-SQL that isn't translated.
    func unsupported(_ what: String, at place: TransactPlace? = nil) -> StatementFault {
        (place ?? self.place).fault("\(what) is not supported.")
    }

    // MARK: Bounds

    mutating func nested<Result>(
        _ body: (inout TransactParser) throws(StatementFault) -> Result
    ) throws(StatementFault) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw place.fault("This is nested deeper than \(Self.deepest) levels.") }
        return try body(&self)
    }

    mutating func countOperator() throws(StatementFault) {
        operators += 1
        guard operators <= Self.mostOperators else {
            throw place.fault("The script has more than \(Self.mostOperators) operators.")
        }
    }

    mutating func countCalculation() throws(StatementFault) {
        calculations += 1
        guard calculations <= Self.mostCalculations else {
            throw place.fault("The script has more than \(Self.mostCalculations) operators that calculate.")
        }
    }

    // MARK: Names

    /// Parses a name that isn't a keyword, if there is one.
    mutating func optionalName() -> TransactName? {
        switch current.kind {
        case .word(let text) where Self.reserved.contains(text.uppercased()): return nil
        case .name(let text), .word(let text):
            defer { advance() }
            return TransactName(text: text, place: place)
        default: return nil
        }
    }

    mutating func name(_ what: String) throws(StatementFault) -> TransactName {
        guard let name = optionalName() else { throw unexpected(expecting: what) }
        return name
    }

    /// Parses the name of a table, ignoring schema and database.
    mutating func tableName() throws(StatementFault) -> TransactName {
        var found = try name("a table's name")
        var parts = 1
        while take(symbol: ".") {
            // `database..table`
            if isAt(symbol: ".") { continue }
            found = try name("a table's name")
            parts += 1
            guard parts <= 3 else { throw unsupported("A name of four parts", at: found.place) }
        }
        guard !found.text.hasPrefix("#") else { throw unsupported("A temporary table", at: found.place) }
        return found
    }

    /// Parses the alias after an expression or a table.
    mutating func alias() throws(StatementFault) -> TransactName? {
        if take("AS") {
            if case .text(let text) = current.kind {
                defer { advance() }
                return TransactName(text: text, place: place)
            }
            return try name("a name")
        }
        return optionalName()
    }

    /// Words that can only be names if quoted.
    private static let reserved: Set<String> = [
        "ADD", "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "BEGIN", "BETWEEN", "BREAK", "BY", "CASE", "CHECKPOINT",
        "CLOSE", "COALESCE", "COLLATE", "COMMIT", "CONTINUE", "CONVERT", "CREATE", "CROSS", "CURRENT_TIMESTAMP",
        "CURSOR", "DEALLOCATE", "DECLARE", "DEFAULT", "DELETE", "DENY", "DESC", "DISTINCT", "DROP", "ELSE", "END",
        "ESCAPE", "EXCEPT", "EXEC", "EXECUTE", "EXISTS", "FETCH", "FOR", "FROM", "FULL", "GOTO", "GRANT", "GROUP",
        "HAVING", "IF", "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LEFT", "LIKE", "MERGE", "NOT",
        "NULL", "NULLIF", "OF", "OFFSET", "ON", "OPEN", "OPTION", "OR", "ORDER", "OUTER", "OUTPUT", "OVER", "PIVOT",
        "PRINT", "RAISERROR", "RETURN", "REVOKE", "RIGHT", "ROLLBACK", "SAVE", "SELECT", "SET", "SOME",
        "TABLESAMPLE", "THEN", "THROW", "TOP", "TRAN", "TRANSACTION", "TRUNCATE", "UNION", "UNPIVOT", "UPDATE", "USE",
        "VALUES", "WAITFOR", "WHEN", "WHERE", "WHILE", "WITH",
    ]
}
