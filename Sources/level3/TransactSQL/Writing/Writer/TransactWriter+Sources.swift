import TableSQL
import Tables

extension TransactWriter {
    /// Translates the sources with their joins; nil if there are none.
    func from(_ sources: [TransactSource], in scope: TransactScope) throws(StatementFault) -> SQLFragment? {
        var sql: SQLFragment?
        for source in sources {
            let rows = try add(source, to: scope)
            guard let before = sql else {
                sql = rows
                continue
            }
            guard let condition = source.condition else {
                sql = "\(before) CROSS JOIN \(rows)"
                continue
            }
            let on = try self.condition(condition, in: scope)
            switch source.joint {
            case .right: sql = "\(rows) LEFT JOIN \(grouped(before, in: scope)) ON \(on)"
            case .full: sql = full(before, rows, on: on, in: scope)
            case .cross, .inner, .left:
                sql = "\(before) \(SQLFragment(stringLiteral: source.joint.rawValue)) JOIN \(rows) ON \(on)"
            }
        }
        return sql
    }

    /// Returns everything before the last source, as one side of a join.
    private func grouped(_ joined: SQLFragment, in scope: TransactScope) -> SQLFragment {
        scope.sources.count > 2 ? "(\(joined))" : joined
    }

    /// FULL JOIN, which SQLite only has since recently, and PostgreSQL not for every condition: the rows of a LEFT
    /// JOIN, and unmatched ones of the right side. From here on the columns of all sources are those of one.
    private func full(
        _ before: SQLFragment, _ rows: SQLFragment, on condition: SQLFragment, in scope: TransactScope
    ) -> SQLFragment {
        let alias = nextSource()
        var items: [SQLFragment] = []
        var merged: [TransactScope.Source] = []
        for source in scope.sources {
            merged.append(
                TransactScope.Source(
                    name: source.name, alias: alias, columns: source.columns, offset: items.count, names: source.names))
            for column in source.all {
                items.append("\(column.operand.sql) AS \(.column(items.count + 1))")
            }
        }
        let list = SQLFragment.list(items)
        let left = grouped(before, in: scope)
        scope.sources = merged
        return """
            (SELECT \(list) FROM \(before) LEFT JOIN \(rows) ON \(condition) UNION ALL \
            SELECT \(list) FROM \(rows) LEFT JOIN \(left) ON 1 = 0 \
            WHERE NOT EXISTS (SELECT 1 FROM \(before) WHERE \(condition))) AS \(alias)
            """
    }

    private func add(_ source: TransactSource, to scope: TransactScope) throws(StatementFault) -> SQLFragment {
        let alias = nextSource()
        let name: String?
        let columns: TransactScope.Columns
        let sql: SQLFragment
        switch source.rows {
        case .table(let table):
            let found = try self.table(table)
            (name, columns, sql) = (source.alias?.text ?? table.text, .table(found), SQLFragment(found.name))
        case .query(let query):
            let made = try self.query(query, in: scope.parent)
            (name, sql) = (source.alias?.text, "(\(made.sql))")
            columns = .query(try named(made.columns, source.columns))
        }
        if let name, scope.sources.contains(where: { $0.isNamed(name) }) {
            throw source.place.fault("`\(name)` is there twice; aliases tell the two apart.")
        }
        scope.sources.append(
            TransactScope.Source(name: name, alias: alias, columns: columns, names: context.names))
        return "\(sql) AS \(alias)"
    }

    /// Renames columns as an alias or a WITH specifies.
    private func named(
        _ columns: [TransactColumn], _ names: [TransactName]
    ) throws(StatementFault) -> [TransactColumn] {
        guard let first = names.first else { return columns }
        guard names.count == columns.count else {
            throw first.place.fault("Here are \(names.count) names for \(columns.count) columns.")
        }
        return zip(columns, names).map { TransactColumn(name: $1.text, type: $0.type) }
    }
}
