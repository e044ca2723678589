import TableSQL
import Tables

extension TransactWriter {
    /// Returns a SELECT as a separate statement.
    func statement(_ query: TransactQuery) throws(StatementFault) -> (sql: SQLText, columns: [TransactColumn]) {
        let made = try self.query(query, in: nil)
        return (try TransactText.build(made.sql, dialect), made.columns)
    }

    // MARK: INSERT

    func insert(_ insert: TransactInsert) throws(StatementFault) -> TransactWrite {
        let table = try table(insert.table)
        var fields = try self.fields(insert.columns, of: table)
        if let output = insert.output.first(where: \.isBefore) {
            throw output.place.fault("An INSERT has no DELETED rows.")
        }
        let rows: SQLFragment
        switch insert.rows {
        case .defaults: rows = try values([fields.map { _ in nil }], &fields, named: insert.columns, of: table)
        case .values(let given):
            guard !fields.isEmpty else { throw insert.place.fault("INSERT has to name its columns.") }
            for row in given where row.count != fields.count {
                throw insert.place.fault("INSERT names \(fields.count) columns and gives \(row.count) values.")
            }
            rows = try values(given, &fields, named: insert.columns, of: table)
        case .query(let query):
            guard !fields.isEmpty else { throw insert.place.fault("INSERT has to name its columns.") }
            rows = try selected(query, for: fields, named: insert.columns, of: table, at: insert.place)
        }
        var sql: SQLFragment = """
            INSERT INTO \(SQLFragment(table.name)) (\(.list(fields.map { SQLFragment(setting: $0) }))) \(rows)
            """
        let returnsIDs = !insert.output.isEmpty || context.keepsIdentity && table.rules.autoIncrement
        if returnsIDs { sql = "\(sql) RETURNING \"id\"" }
        var write = TransactWrite(table: table, statement: try TransactText.build(sql, dialect))
        write.returnsIDs = returnsIDs
        try add(insert.output, to: &write)
        return write
    }

    /// Translates the rows of VALUES, with a new id for each if none is given.
    private func values(
        _ rows: [[TransactExpression?]], _ fields: inout [Field], named names: [TransactName], of table: Table
    ) throws(StatementFault) -> SQLFragment {
        let makesID = !table.rules.autoIncrement && !fields.contains(.system(.id))
        let given = fields
        if makesID || fields.isEmpty { fields.insert(makesID ? .system(.id) : .system(.deleted), at: 0) }
        let scope = TransactScope(in: nil)
        var tuples: [SQLFragment] = []
        for row in rows {
            var cells: [SQLFragment] = []
            if makesID {
                cells.append(SQLFragment(.text(RandomID.make())))
            } else if given.isEmpty {
                cells.append(SQLFragment(.boolean(false)))
            }
            for (index, expression) in row.enumerated() {
                let operand =
                    try expression.map { some throws(StatementFault) in try resolve(some, in: scope) }
                    ?? defaultValue(of: given[index])
                cells.append(try assigned(operand, to: given[index], of: table, at: names[index].place).sql)
            }
            tuples.append("(\(.list(cells)))")
        }
        return "VALUES \(.list(tuples))"
    }

    private func defaultValue(of field: Field) -> TransactOperand {
        switch field {
        case .system(.id): TransactOperand(.text(RandomID.make()))
        case .system(.deleted): TransactOperand(.boolean(false))
        default: Self.null
        }
    }

    private func selected(
        _ query: TransactQuery, for fields: [Field], named names: [TransactName], of table: Table,
        at place: TransactPlace
    ) throws(StatementFault) -> SQLFragment {
        let made = try self.query(query, in: nil)
        guard made.columns.count == fields.count else {
            throw place.fault("INSERT names \(fields.count) columns and selects \(made.columns.count).")
        }
        let source = nextSource()
        let cells = try fields.indices.map { index throws(StatementFault) in
            let operand = TransactOperand("\(source).\(.column(index + 1))", made.columns[index].type)
            return try assigned(operand, to: fields[index], of: table, at: names[index].place).sql
        }
        return "SELECT \(.list(cells)) FROM (\(made.sql)) AS \(source)"
    }

    // MARK: UPDATE and DELETE

    func change(_ change: TransactChange) throws(StatementFault) -> TransactWrite {
        let scope = TransactScope(in: nil)
        let target = try self.target(change.target, change.sources, in: scope)
        var assignments = try change.assignments.map { given throws(StatementFault) in
            try set(given, of: target.table, in: scope)
        }
        var condition = try change.condition.map { condition throws(StatementFault) in
            try self.condition(condition, in: scope)
        }
        if assignments == nil {
            if let output = change.output.first(where: { !$0.isBefore }) {
                throw output.place.fault("A DELETE has no INSERTED rows.")
            }
            // If the table keeps tombstones, a deleted row becomes one, as the table's trigger does for a shell.
            if target.table.rules.softDelete {
                let deleted = SQLFragment(.system(.deleted))
                let lives: SQLFragment = "\(target.alias).\(deleted) = \(SQLFragment(.boolean(false)))"
                condition = condition.map { "\(lives) AND \($0)" } ?? lives
                assignments = [(.system(.deleted), SQLFragment(.boolean(true)))]
            }
        }
        condition = try bounded(target, by: change.top, condition)
        return try write(target, assignments, where: condition, output: change.output)
    }

    private func set(
        _ assignments: [(column: TransactName, value: TransactExpression)], of table: Table, in scope: TransactScope
    ) throws(StatementFault) -> [(Field, SQLFragment)] {
        let fields = try fields(assignments.map(\.column), of: table)
        if let index = fields.firstIndex(of: .system(.id)) {
            throw assignments[index].column.place.fault("The id of a row can't be changed.")
        }
        return try zip(fields, assignments).map { field, assignment throws(StatementFault) in
            let operand = try resolve(assignment.value, in: scope)
            return (field, try assigned(operand, to: field, of: table, at: assignment.column.place).sql)
        }
    }

    /// The table to write to, with the other sources by which its rows are found.
    private struct Target {
        let table: Table
        let alias: SQLFragment
        /// All sources with their joins.
        let from: SQLFragment
        let isJoined: Bool
    }

    private func target(
        _ name: TransactName, _ sources: [TransactSource], in scope: TransactScope
    ) throws(StatementFault) -> Target {
        // A table that FROM doesn't name is joined with its sources.
        guard sources.contains(where: { $0.isNamed(name.text) }) else {
            let source = TransactSource(rows: .table(name), alias: nil, place: name.place)
            return try target(name, [source] + sources, in: scope)
        }
        for source in sources where source.joint == .full {
            throw source.place.fault("FULL JOIN beside a write is not supported.")
        }
        guard let from = try self.from(sources, in: scope) else {
            throw name.place.fault("There is nothing to write to.")
        }
        let named = zip(sources, scope.sources).filter { $0.1.isNamed(name.text) || $0.0.isTable(name.text) }
        guard let (_, source) = named.first(where: { $0.1.isNamed(name.text) }) ?? named.first,
            case .table(let table) = source.columns
        else { throw name.place.fault("There is no table `\(name.text)` in FROM.") }
        return Target(table: table, alias: source.alias, from: from, isJoined: sources.count > 1)
    }

    /// Applies TOP to a write. Which rows it affects is undefined; here they are those with the first ids.
    private func bounded(
        _ target: Target, by top: TransactExpression?, _ condition: SQLFragment?
    ) throws(StatementFault) -> SQLFragment? {
        guard let top else { return condition }
        let id: SQLFragment = "\(target.alias).\(SQLFragment(.system(.id)))"
        let rows: SQLFragment = "FROM \(target.from)\(Self.whereClause(condition))"
        return "\(id) IN (SELECT DISTINCT \(id) \(rows) ORDER BY \(id) LIMIT \(try count(top)))"
    }

    /// - Parameter assignments: the assignments; nil for rows to be removed.
    private func write(
        _ target: Target, _ assignments: [(Field, SQLFragment)]?, where condition: SQLFragment?,
        output: [TransactOutput]
    ) throws(StatementFault) -> TransactWrite {
        let sql =
            target.isJoined
            ? joined(target, assignments, where: condition) : plain(target, assignments, where: condition)
        var write = TransactWrite(table: target.table, statement: try TransactText.build(sql, dialect))
        try add(output, to: &write)
        guard !output.isEmpty else { return write }
        let cells = ([.system(.id)] + write.beforeFields).map { "\(target.alias).\(SQLFragment($0))" as SQLFragment }
        // A row that is joined with several is only written once.
        let distinct: SQLFragment = target.isJoined ? "DISTINCT " : ""
        write.before = try TransactText.build(
            "SELECT \(distinct)\(.list(cells)) FROM \(target.from)\(Self.whereClause(condition))", dialect)
        return write
    }

    private func plain(
        _ target: Target, _ assignments: [(Field, SQLFragment)]?, where condition: SQLFragment?
    ) -> SQLFragment {
        guard let assignments else { return "DELETE FROM \(target.from)\(Self.whereClause(condition))" }
        let set = assignments.map { "\(SQLFragment(setting: $0.0)) = \($0.1)" as SQLFragment }
        return "UPDATE \(target.from) SET \(.list(set))\(Self.whereClause(condition))"
    }

    /// Finds the rows by a subquery, in which both databases join alike.
    private func joined(
        _ target: Target, _ assignments: [(Field, SQLFragment)]?, where condition: SQLFragment?
    ) -> SQLFragment {
        let (written, found) = (nextSource(), nextSource())
        let (table, id) = (SQLFragment(target.table.name), SQLFragment(.system(.id)))
        let rows: SQLFragment = "FROM \(target.from)\(Self.whereClause(condition))"
        guard let assignments else {
            return """
                DELETE FROM \(table) AS \(written) WHERE \(written).\(id) IN (SELECT \(target.alias).\(id) \(rows))
                """
        }
        var (cells, set): ([SQLFragment], [SQLFragment]) = (["\(target.alias).\(id) AS c0"], [])
        for (index, (field, value)) in assignments.enumerated() {
            cells.append("\(value) AS \(.column(index + 1))")
            set.append("\(SQLFragment(setting: field)) = \(found).\(.column(index + 1))")
        }
        return """
            UPDATE \(table) AS \(written) SET \(.list(set)) FROM (SELECT \(.list(cells)) \(rows)) AS \(found) \
            WHERE \(written).\(id) = \(found).c0
            """
    }

    private static func whereClause(_ condition: SQLFragment?) -> SQLFragment {
        condition.map { " WHERE \($0)" } ?? ""
    }

    // MARK: Columns

    /// Returns the columns to set, each once, without those that only the server writes.
    private func fields(_ names: [TransactName], of table: Table) throws(StatementFault) -> [Field] {
        var fields: [Field] = []
        for name in names {
            let field = try field(name, of: table)
            if field == .system(.version) { throw name.place.fault("The version of a row can't be set.") }
            guard !fields.contains(field) else { throw name.place.fault("The column `\(name.text)` is set twice.") }
            fields.append(field)
        }
        return fields
    }

    private func field(_ name: TransactName, of table: Table) throws(StatementFault) -> Field {
        if let field = context.names.field(named: name.text, of: table) { return field }
        let hint = context.names.hint(for: name.text).map { "; \($0)" } ?? ""
        throw name.place.fault("There is no column `\(name.text)` in `\(table.name)`\(hint).")
    }

    /// Converts a value to the type of the column that it is assigned to.
    private func assigned(
        _ operand: TransactOperand, to field: Field, of table: Table, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if case .own(let column) = field, column.type == .dateOnly || column.type == .timeOnly, !operand.isNull {
            guard let value = operand.constant,
                let changes = try? table.changes(from: [Property(column.name.text, value)], for: .update),
                let cell = changes.assignments.first
            else { throw place.fault("The column `\(field.name)` takes constants in its own form alone.") }
            return TransactOperand(cell.value)
        }
        if field == .system(.id), case .text(let id) = operand.constant, RowID.fault(inNew: id) != nil {
            throw place.fault("This text can't be the id of a row.")
        }
        let type = TransactType(field, of: table)
        var converted = try converted(operand, to: type, at: place)
        converted.sql = converted.sql.stored(in: field)
        return type == .null ? TransactOperand(dialect.null(type), type) : converted
    }

    private func add(_ outputs: [TransactOutput], to write: inout TransactWrite) throws(StatementFault) {
        for output in outputs {
            let named = try output.column.map { name throws(StatementFault) in [try field(name, of: write.table)] }
            for field in named ?? write.table.fields {
                let name = context.names.name(of: field)
                if output.isBefore { write.beforeFields.append(field) } else { write.afterFields.append(field) }
                // The id comes first in each row.
                let column = output.isBefore ? write.beforeFields.count : write.afterFields.count
                write.outputs.append(
                    TransactWrite.Output(name: output.name ?? name, isBefore: output.isBefore, column: column))
            }
        }
    }
}

extension TransactSource {
    /// Returns whether its alias or its table has a name.
    fileprivate func isNamed(_ name: String) -> Bool {
        alias?.text.lowercased() == name.lowercased() || isTable(name)
    }

    fileprivate func isTable(_ name: String) -> Bool {
        if case .table(let table) = rows { table.text.lowercased() == name.lowercased() } else { false }
    }
}
