import TableSQL
import Tables

extension TransactWriter {
    /// A query as SQL, with columns named c1, c2 and so on.
    struct Made {
        var sql: SQLFragment
        var columns: [TransactColumn]
    }

    func query(_ query: TransactQuery, in parent: TransactScope?) throws(StatementFault) -> Made {
        if query.others.isEmpty, !query.first.isDistinct {
            return try select(query.first, of: query, in: parent)
        }
        var made = try member(query.first, in: parent, keepsTop: !query.others.isEmpty)
        for (select, keepsAll) in query.others {
            made = try union(made, try member(select, in: parent, keepsTop: true), keepsAll: keepsAll, at: select.place)
        }
        return try ordered(made, query, in: parent)
    }

    /// Translates one SELECT without its order.
    /// - Parameter keepsTop: whether the TOP of a DISTINCT, which counts the remaining rows, is applied here.
    private func member(
        _ select: TransactSelect, in parent: TransactScope?, keepsTop: Bool
    ) throws(StatementFault) -> Made {
        var alone = select
        alone.isDistinct = false
        if select.isDistinct { alone.top = nil }
        let query = TransactQuery(first: alone, place: select.place)
        var made = try self.select(alone, of: query, in: parent)
        guard select.isDistinct else { return made }
        made = distinct(made)
        if keepsTop, let top = select.top { made.sql = "\(made.sql) LIMIT \(try count(top))" }
        return made
    }

    private func union(
        _ left: Made, _ right: Made, keepsAll: Bool, at place: TransactPlace
    ) throws(StatementFault) -> Made {
        guard left.columns.count == right.columns.count else {
            throw place.fault("The two sides of UNION have different numbers of columns.")
        }
        let (first, second) = (nextSource(), nextSource())
        var (lefts, rights, columns): ([SQLFragment], [SQLFragment], [TransactColumn]) = ([], [], [])
        for (index, (one, other)) in zip(left.columns, right.columns).enumerated() {
            let name = SQLFragment.column(index + 1)
            let (operands, type) = try unified(
                [TransactOperand("\(first).\(name)", one.type), TransactOperand("\(second).\(name)", other.type)],
                at: place)
            lefts.append("\(operands[0].sql) AS \(name)")
            rights.append("\(operands[1].sql) AS \(name)")
            columns.append(TransactColumn(name: one.name, type: type))
        }
        let sql: SQLFragment = """
            SELECT \(.list(lefts)) FROM (\(left.sql)) AS \(first) \
            UNION ALL SELECT \(.list(rights)) FROM (\(right.sql)) AS \(second)
            """
        let made = Made(sql: sql, columns: columns)
        return keepsAll ? made : distinct(made)
    }

    /// Removes duplicate rows, treating texts that only differ in case as equal.
    private func distinct(_ made: Made) -> Made {
        let source = nextSource()
        var (items, keys): ([SQLFragment], [SQLFragment]) = ([], [])
        for (index, column) in made.columns.enumerated() {
            let name = SQLFragment.column(index + 1)
            let operand = TransactOperand("\(source).\(name)", column.type)
            let isText = column.type == .text
            items.append(
                isText ? "min(\(dialect.exact(operand.sql))) AS \(name)" : "\(operand.sql) AS \(name)")
            keys.append(groupKey(operand))
        }
        return Made(
            sql: "SELECT \(.list(items)) FROM (\(made.sql)) AS \(source) GROUP BY \(.list(keys))",
            columns: made.columns)
    }

    func groupKey(_ operand: TransactOperand) -> SQLFragment {
        switch operand.type {
        case .text: folded(operand)
        case .decimal: dialect.compared(decimal: operand.sql)
        default: operand.sql
        }
    }

    /// Orders the rows of a complete query, by its columns only.
    private func ordered(
        _ made: Made, _ query: TransactQuery, in parent: TransactScope?
    ) throws(StatementFault) -> Made {
        let source = nextSource()
        let scope = TransactScope(in: nil)
        scope.sources = [TransactScope.Source(name: nil, alias: source, columns: .query(made.columns))]
        let all = scope.sources[0].all
        let items = all.enumerated().map { "\($0.element.operand.sql) AS \(.column($0.offset + 1))" as SQLFragment }
        var sql: SQLFragment = "SELECT \(.list(items)) FROM (\(made.sql)) AS \(source)"
        let single = query.others.isEmpty ? query.first : nil
        if let order = try orderClause(query.order, all, in: scope, dropsTables: true) { sql = "\(sql)\(order)" }
        sql = "\(sql)\(try page(of: query, top: single?.isDistinct == true ? single?.top : nil))"
        return Made(sql: sql, columns: made.columns)
    }

    private func orderClause(
        _ terms: [TransactOrder], _ items: [(name: String, operand: TransactOperand)], in scope: TransactScope,
        dropsTables: Bool = false
    ) throws(StatementFault) -> SQLFragment? {
        let sorted = try terms.map { term throws(StatementFault) in
            let operand = try orderOperand(term.expression, items, in: scope, dropsTables: dropsTables)
            return self.sorted(operand, isDescending: term.isDescending)
        }
        return sorted.isEmpty ? nil : " ORDER BY \(.list(sorted))"
    }

    func sorted(_ operand: TransactOperand, isDescending: Bool) -> SQLFragment {
        var sql = operand.sql
        if operand.type == .text { sql = dialect.collated(sql, by: .ordered) }
        if operand.type == .decimal { sql = dialect.compared(decimal: sql) }
        return dialect.sorted(sql, isDescending: isDescending, isNeverNull: false)
    }

    /// Resolves a column of the result by name or number, or else any expression.
    private func orderOperand(
        _ expression: TransactExpression, _ items: [(name: String, operand: TransactOperand)],
        in scope: TransactScope, dropsTables: Bool
    ) throws(StatementFault) -> TransactOperand {
        if case .literal(.integer(let number), let place) = expression {
            guard number > 0, number <= items.count else {
                throw place.fault("ORDER BY \(number) names no column of the result.")
            }
            return items[Int(number) - 1].operand
        }
        if case .column(let name, let table) = expression, table == nil || dropsTables,
            let item = items.first(where: { $0.name.lowercased() == name.text.lowercased() })
        {
            return item.operand
        }
        return try resolve(expression, in: scope)
    }

    /// Translates the page to LIMIT and OFFSET.
    private func page(of query: TransactQuery, top: TransactExpression?) throws(StatementFault) -> SQLFragment {
        var sql: SQLFragment = ""
        if let top {
            if query.offset != nil { throw top.place.fault("TOP and OFFSET don't go together.") }
            return " LIMIT \(try count(top))"
        }
        if let fetch = query.fetch { sql = " LIMIT \(try count(fetch))" }
        guard let offset = query.offset else { return sql }
        // SQLite has no OFFSET without LIMIT.
        if query.fetch == nil { sql = " LIMIT \(SQLFragment(.integer(.max)))" }
        return "\(sql) OFFSET \(try count(offset))"
    }

    func count(_ expression: TransactExpression) throws(StatementFault) -> SQLFragment {
        guard let count = try resolve(expression, in: TransactScope(in: nil)).constant?.integerValue, count >= 0 else {
            throw expression.place.fault("Here a whole number from 0 on has to stand.")
        }
        return SQLFragment(.integer(count))
    }

    // MARK: One SELECT

    private func select(
        _ select: TransactSelect, of query: TransactQuery, in parent: TransactScope?
    ) throws(StatementFault) -> Made {
        let scope = TransactScope(in: parent)
        let from = try self.from(select.sources, in: scope)
        var sql: SQLFragment = from.map { " FROM \($0)" } ?? ""
        if let condition = select.condition { sql = "\(sql) WHERE \(try self.condition(condition, in: scope))" }
        let isGrouped =
            !select.grouping.isEmpty || select.hasAggregates || query.order.contains { $0.expression.isAggregated }
        if isGrouped {
            let keys = try group(by: select.grouping, in: scope)
            if !keys.isEmpty { sql = "\(sql) GROUP BY \(.list(keys))" }
        }
        scope.takesAggregates = isGrouped
        scope.takesWindows = true
        let items = try items(of: select, in: scope)
        scope.takesWindows = false
        if let having = select.having { sql = "\(sql) HAVING \(try condition(having, in: scope))" }
        scope.takesWindows = true
        if let order = try orderClause(query.order, items, in: scope) { sql = "\(sql)\(order)" }
        if let stray = scope.grouping?.strays.first {
            throw stray.name.place.fault("The column `\(stray.name.text)` is neither in GROUP BY nor in an aggregate.")
        }
        sql = "\(sql)\(try page(of: query, top: select.top))"
        let list = items.enumerated().map { "\($0.element.operand.sql) AS \(.column($0.offset + 1))" as SQLFragment }
        return Made(
            sql: "SELECT \(.list(list))\(sql)",
            columns: items.map { TransactColumn(name: $0.name, type: $0.operand.type) })
    }

    private func group(
        by expressions: [TransactExpression], in scope: TransactScope
    ) throws(StatementFault) -> [SQLFragment] {
        var grouping = TransactScope.Grouping()
        var keys: [SQLFragment] = []
        for expression in expressions {
            let operand = try resolve(expression, in: scope)
            guard operand.constant == nil else { throw expression.place.fault("GROUP BY takes no constant.") }
            grouping.keys.insert(operand.sql.key)
            keys.append(groupKey(operand))
        }
        scope.grouping = grouping
        return keys
    }

    private func items(
        of select: TransactSelect, in scope: TransactScope
    ) throws(StatementFault) -> [(name: String, operand: TransactOperand)] {
        var items: [(name: String, operand: TransactOperand)] = []
        for item in select.items {
            switch item {
            case .value(let expression, let name): items.append((name ?? "", try resolve(expression, in: scope)))
            case .assignment(let name, let expression): items.append((name.text, try resolve(expression, in: scope)))
            case .all(let table, let place):
                let sources = scope.sources.filter { source in table.map { source.isNamed($0.text) } ?? true }
                guard !sources.isEmpty else {
                    throw place.fault(table.map { "There is no table or alias `\($0.text)`." } ?? "`*` needs a FROM.")
                }
                guard scope.grouping == nil else { throw place.fault("`*` can't stand beside GROUP BY.") }
                for source in sources { items += source.all }
            }
        }
        return items
    }
}
