import Tables

extension TransactParser {
    mutating func merge() throws(StatementFault) -> TransactMerge {
        let start = place
        advance()
        if isAt("TOP") { throw unsupported("TOP of a MERGE") }
        _ = take("INTO")
        let table = try tableName()
        try hints()
        let alias = isAt("USING") ? nil : try self.alias()
        try expect("USING")
        let source = try source()
        try expect("ON")
        let condition = try condition()
        var clauses: [TransactMerge.Clause] = []
        while isAt("WHEN") { clauses.append(try mergeClause()) }
        guard !clauses.isEmpty else { throw unexpected(expecting: "WHEN") }
        let output = try outputs(takesAction: true)
        if let all = output.first(where: { !$0.isAction && $0.column == nil }) {
            throw unsupported("`*` in the OUTPUT of a MERGE", at: all.place)
        }
        try options()
        return TransactMerge(
            table: table, alias: alias, source: source, condition: condition, clauses: clauses,
            output: output, place: start)
    }

    private mutating func mergeClause() throws(StatementFault) -> TransactMerge.Clause {
        let start = place
        advance()
        try countOperator()
        var rows = TransactMerge.Clause.Rows.matched
        if take("NOT") { rows = .notMatched }
        try expect("MATCHED")
        if rows == .notMatched, take("BY") {
            if take("SOURCE") { rows = .notMatchedBySource } else { try expect("TARGET") }
        }
        let condition = take("AND") ? try condition() : nil
        try expect("THEN")
        return TransactMerge.Clause(
            rows: rows, condition: condition, action: try mergeAction(rows == .notMatched), place: start)
    }

    private mutating func mergeAction(_ inserts: Bool) throws(StatementFault) -> TransactMerge.Clause.Action {
        guard inserts else {
            if take("DELETE") { return .delete }
            try expect("UPDATE")
            try expect("SET")
            return .update(try assignments())
        }
        let start = place
        try expect("INSERT")
        guard take(symbol: "(") else { throw start.fault("INSERT has to name its columns.") }
        var columns: [TransactName] = []
        repeat { columns.append(try columnName()) } while take(symbol: ",")
        try expect(symbol: ")")
        try expect("VALUES")
        try expect(symbol: "(")
        if isAt("DEFAULT") { throw unsupported("DEFAULT in a MERGE") }
        let values = try arguments()
        guard values.count == columns.count else {
            throw start.fault("INSERT names \(columns.count) columns and gives \(values.count) values.")
        }
        return .insert(columns, values)
    }
}
