import Tables

/// A named query of a WITH.
struct KnownQuery {
    let name: TransactName
    let columns: [TransactName]
    let query: TransactQuery
    /// The number of queries that it expands to, including those that it names.
    let weight: Int
}

extension TransactParser {
    /// The maximum number of queries that the names of a WITH expand to: each is inserted where it is named.
    private static let mostKnown = 60

    /// Parses `WITH name (columns) AS (query), … statement`.
    mutating func statementWithQueries() throws(StatementFault) -> TransactStatement {
        let start = place
        advance()
        known = []
        knownWeight = 0
        defer { known = [] }
        repeat {
            let name = try name("a name")
            let columns = take(symbol: "(") ? try names() : []
            try expect("AS")
            try expect(symbol: "(")
            let before = knownWeight
            definesKnown = name
            let query = try query()
            definesKnown = nil
            try expect(symbol: ")")
            known.append(
                KnownQuery(name: name, columns: columns, query: query, weight: knownWeight - before + 1))
            knownWeight = before
        } while take(symbol: ",")
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: { isAt($0) }) else {
            throw unsupported("WITH before \(current.words)", at: start)
        }
        return try statement()
    }

    /// Parses a source whose name is that of a WITH.
    mutating func knownQuery() throws(StatementFault) -> TransactSource? {
        guard let found = try knownHere() else { return nil }
        let start = place
        advance()
        try hints()
        let alias = try alias() ?? found.name
        return TransactSource(
            rows: .query(found.query), alias: alias, place: start, columns: found.columns)
    }

    private mutating func knownHere() throws(StatementFault) -> KnownQuery? {
        guard !isAt(symbol: ".", 1) else { return nil }
        let text: String
        switch current.kind {
        case .word(let word), .name(let word): text = word.lowercased()
        default: return nil
        }
        if let name = definesKnown, name.text.lowercased() == text {
            throw unsupported("A query of WITH that names itself")
        }
        guard let found = known.last(where: { $0.name.text.lowercased() == text }) else { return nil }
        knownWeight += found.weight
        guard knownWeight <= Self.mostKnown else {
            throw place.fault("The names of WITH stand for more than \(Self.mostKnown) queries.")
        }
        return found
    }

    /// Parses `DELETE FROM name` with the name of a query over one table, by which old scripts remove duplicates.
    mutating func deleteOfKnownQuery(_ top: TransactExpression?) throws(StatementFault) -> TransactChange? {
        guard let rows = try rowsOfKnownQuery("A DELETE") else { return nil }
        let output = try outputs()
        let condition = take("WHERE") ? try whereCondition() : nil
        let found = TransactSelect(
            items: [.value(rows.id, name: nil)], sources: [rows.source], condition: condition, place: rows.name.place)
        return TransactChange(
            target: rows.table, top: top, output: output,
            condition: .amongRows(
                .column(rows.column, of: rows.table), TransactQuery(first: found, place: rows.name.place),
                rows.name.place))
    }

    /// Parses `UPDATE name SET …` in the same way, by which old scripts number rows.
    mutating func updateOfKnownQuery(_ top: TransactExpression?) throws(StatementFault) -> TransactChange? {
        guard let rows = try rowsOfKnownQuery("An UPDATE") else { return nil }
        try expect("SET")
        let assignments = try assignments()
        for (column, _) in assignments where !rows.shows(column) {
            throw unsupported("Setting another column than those that the query selects unchanged", at: column.place)
        }
        let output = try outputs()
        let condition = take("WHERE") ? try whereCondition() : nil
        // The columns named in the statement are those of the query.
        let written = TransactName(text: TransactName.hidden + "written", place: rows.name.place)
        let table = TransactSource(rows: .table(rows.table), alias: written, place: rows.name.place)
        let same = TransactCondition.compare(
            .equal, .column(rows.column, of: written), rows.id, rows.name.place)
        return TransactChange(
            target: written, top: top, assignments: assignments, output: output,
            sources: [table, rows.source.joined(.inner, on: same)], condition: condition)
    }

    /// The rows of one table that a query of a WITH selects.
    private struct KnownRows {
        let name: TransactName
        let table: TransactName
        /// The query with the id of each row added to its columns, and that id.
        let source: TransactSource
        let id: TransactExpression
        /// The column of the table that has the id.
        let column: TransactName
        /// The query's columns.
        let items: [TransactItem]

        /// Returns whether a column of the query is the table's column of the same name.
        func shows(_ column: TransactName) -> Bool {
            let wanted = column.text.lowercased()
            var isOwn = false
            for item in items {
                switch item {
                case .all: isOwn = true
                case .value(.column(let own, _), let name):
                    guard (name ?? own.text).lowercased() == wanted else { continue }
                    guard own.text.lowercased() == wanted else { return false }
                    isOwn = true
                case .value(_, let name):
                    if name?.lowercased() == wanted { return false }
                case .assignment: continue
                }
            }
            return isOwn
        }
    }

    private mutating func rowsOfKnownQuery(_ statement: String) throws(StatementFault) -> KnownRows? {
        guard let found = try knownHere() else { return nil }
        let name = TransactName(text: found.name.text, place: place)
        let select = found.query.first
        guard found.query.others.isEmpty, found.query.order.isEmpty, select.sources.count == 1, !select.isDistinct,
            found.columns.isEmpty, select.grouping.isEmpty, !select.hasAggregates,
            case .table(let table) = select.sources[0].rows
        else { throw unsupported("\(statement) of more than one table's rows") }
        advance()
        let key = TransactName(text: TransactName.hidden + "id", place: name.place)
        let id = TransactName(text: "id", place: name.place)
        var inner = found.query
        inner.first.items.append(.value(.column(id, of: select.sources[0].alias ?? table), name: key.text))
        let source = TransactSource(rows: .query(inner), alias: name, place: name.place)
        return KnownRows(
            name: name, table: table, source: source, id: .column(key, of: name), column: id, items: select.items)
    }
}
