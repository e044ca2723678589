import Tables

extension TransactParser {
    /// Parses a SELECT with everything that may follow it.
    mutating func query() throws(StatementFault) -> TransactQuery {
        try nested { parser throws(StatementFault) in
            var query = TransactQuery(first: try parser.member(), place: parser.place)
            while parser.isAt("UNION") || parser.isAt("EXCEPT") || parser.isAt("INTERSECT") {
                guard parser.take("UNION") else { throw parser.unsupported(parser.current.words) }
                try parser.countOperator()
                let keepsAll = parser.take("ALL")
                query.others.append((try parser.member(), keepsAll))
            }
            if parser.take("ORDER") {
                try parser.expect("BY")
                query.order = try parser.order()
            }
            if parser.isAt("OFFSET") { try parser.page(of: &query) }
            if parser.isAt("FOR") { throw parser.unsupported("FOR XML and FOR JSON") }
            try parser.options()
            return query
        }
    }

    /// Parses one SELECT of a UNION, possibly in parentheses.
    private mutating func member() throws(StatementFault) -> TransactSelect {
        guard isAt(symbol: "(") else { return try select() }
        return try nested { parser throws(StatementFault) in
            parser.advance()
            let select = try parser.member()
            try parser.expect(symbol: ")")
            return select
        }
    }

    mutating func order() throws(StatementFault) -> [TransactOrder] {
        var terms: [TransactOrder] = []
        repeat {
            let expression = try expression()
            if isAt("COLLATE") { throw unsupported("COLLATE") }
            let isDescending = take("DESC")
            if !isDescending { _ = take("ASC") }
            terms.append(TransactOrder(expression: expression, isDescending: isDescending))
        } while take(symbol: ",")
        return terms
    }

    /// Parses `OFFSET n ROWS FETCH NEXT n ROWS ONLY`.
    private mutating func page(of query: inout TransactQuery) throws(StatementFault) {
        guard !query.order.isEmpty else { throw place.fault("OFFSET needs an ORDER BY.") }
        advance()
        query.offset = try expression()
        guard take("ROWS") || take("ROW") else { throw unexpected(expecting: "ROWS") }
        guard take("FETCH") else { return }
        guard take("NEXT") || take("FIRST") else { throw unexpected(expecting: "NEXT") }
        query.fetch = try expression()
        guard take("ROWS") || take("ROW") else { throw unexpected(expecting: "ROWS") }
        try expect("ONLY")
    }

    private mutating func select() throws(StatementFault) -> TransactSelect {
        var select = TransactSelect(place: place)
        try expect("SELECT")
        if take("DISTINCT") { select.isDistinct = true } else { _ = take("ALL") }
        if take("TOP") { select.top = try top() }
        repeat { select.items.append(try item()) } while take(symbol: ",")
        if isAt("INTO") { throw unsupported("SELECT … INTO") }
        if take("FROM") { select.sources = try sources() }
        if take("WHERE") { select.condition = try condition() }
        if take("GROUP") {
            try expect("BY")
            repeat { select.grouping.append(try expression()) } while take(symbol: ",")
            if isAt("WITH") { throw unsupported("WITH ROLLUP and WITH CUBE") }
        }
        if take("HAVING") { select.having = try condition() }
        return select
    }

    mutating func top() throws(StatementFault) -> TransactExpression {
        let count: TransactExpression
        if take(symbol: "(") {
            count = try expression()
            try expect(symbol: ")")
        } else {
            count = try primary()
        }
        if isAt("PERCENT") { throw unsupported("TOP … PERCENT") }
        if isAt("WITH"), isAt("TIES", 1) { throw unsupported("TOP … WITH TIES") }
        return count
    }

    private mutating func item() throws(StatementFault) -> TransactItem {
        let start = place
        if take(symbol: "*") { return .all(of: nil, start) }
        if case .variable = current.kind, isAt(symbol: "=", 1) {
            let name = try variable()
            advance()
            return .assignment(name, try expression())
        }
        // `alias = expression`
        if isAt(symbol: "=", 1), let name = optionalName() {
            advance()
            return .value(try expression(), name: name.text)
        }
        if let table = try allOfTable() { return .all(of: table, start) }
        let expression = try expression()
        if isAt("OVER") { throw unsupported("OVER") }
        if case .text(let text) = current.kind {
            advance()
            return .value(expression, name: text)
        }
        if let alias = try alias() { return .value(expression, name: alias.text) }
        if case .column(let name, _) = expression { return .value(expression, name: name.text) }
        return .value(expression, name: nil)
    }

    /// Parses `table.*`, with or without a schema.
    private mutating func allOfTable() throws(StatementFault) -> TransactName? {
        for offset in [0, 2] where isAt(symbol: ".", offset + 1) && isAt(symbol: "*", offset + 2) {
            for _ in 0..<offset { advance() }
            let name = try name("a table's name")
            advance()
            advance()
            return name
        }
        return nil
    }

    /// Parses what follows FROM.
    mutating func sources() throws(StatementFault) -> [TransactSource] {
        var sources = [try source()]
        while true {
            try countOperator()
            if take(symbol: ",") {
                sources.append(try source())
            } else if isAt("CROSS"), isAt("JOIN", 1) {
                advance()
                advance()
                sources.append(try source())
            } else if isAt("CROSS") || isAt("OUTER") {
                throw unsupported("APPLY")
            } else if ["JOIN", "INNER", "LEFT", "RIGHT", "FULL"].contains(where: { isAt($0) }) {
                sources.append(try joined())
            } else {
                if isAt("PIVOT") || isAt("UNPIVOT") || isAt("TABLESAMPLE") { throw unsupported(current.words) }
                return sources
            }
        }
    }

    private mutating func joined() throws(StatementFault) -> TransactSource {
        var joint = TransactSource.Joint.inner
        for other in [TransactSource.Joint.left, .right, .full, .inner] where take(other.rawValue) {
            joint = other
            break
        }
        _ = take("OUTER")
        try expect("JOIN")
        let source = try source()
        try expect("ON")
        return source.joined(joint, on: try condition())
    }

    /// Parses a table, a subquery, or a table of VALUES.
    mutating func source() throws(StatementFault) -> TransactSource {
        let start = place
        if let known = try knownQuery() { return known }
        let rows: TransactSource.Rows
        var takesColumns = true
        if take(symbol: "(") {
            if isAt("VALUES") {
                rows = .query(try valuesQuery())
            } else if isAt("SELECT") || isAt(symbol: "(") {
                rows = .query(try query())
            } else {
                throw unsupported("A join in parentheses")
            }
            try expect(symbol: ")")
        } else if case .variable = current.kind {
            throw unsupported("A variable that is a table")
        } else {
            let table = try tableName()
            if isAt(symbol: "("), !isAtHint(1) { throw unsupported("The function `\(table.text)` as a table") }
            rows = .table(table)
            takesColumns = false
        }
        try hints()
        let alias = try alias()
        var columns: [TransactName] = []
        if takesColumns, alias != nil, take(symbol: "(") {
            columns = try names()
        } else if isAt(symbol: "("), alias != nil, !isAtHint(1) {
            throw unsupported("A list of columns of a table's alias")
        }
        try hints()
        return TransactSource(rows: rows, alias: alias, place: start, columns: columns)
    }

    /// Parses the rest of a list of columns in parentheses.
    mutating func names() throws(StatementFault) -> [TransactName] {
        var names: [TransactName] = []
        repeat { names.append(try name("a column's name")) } while take(symbol: ",")
        try expect(symbol: ")")
        return names
    }

    /// Parses `VALUES (…), (…)` as a query.
    private mutating func valuesQuery() throws(StatementFault) -> TransactQuery {
        let start = place
        advance()
        var selects: [TransactSelect] = []
        repeat {
            try countOperator()
            try expect(symbol: "(")
            var select = TransactSelect(place: place)
            repeat { select.items.append(.value(try expression(), name: nil)) } while take(symbol: ",")
            try expect(symbol: ")")
            selects.append(select)
        } while take(symbol: ",")
        var query = TransactQuery(first: selects[0], place: start)
        query.others = selects.dropFirst().map { ($0, true) }
        return query
    }
}
