import ByteText
import Tables

extension TransactRun {
    /// Runs a MERGE as statements of other kinds: the rows of each WHEN are determined before any row is written.
    mutating func merge(_ merge: TransactMerge) throws(Failure) -> StatementResult {
        var taken: Set<ExactText> = []
        var found: [[Value]] = []
        var inserted: [[Value]] = []
        for clause in merge.clauses {
            let rows = try self.rows(of: merge.rows(of: clause))
            guard case .insert = clause.action else {
                found.append(try own(rows.compactMap(\.first), of: clause, &taken))
                continue
            }
            // Two of them could not affect the same rows without additional conditions.
            guard inserted.isEmpty else {
                throw .fault(clause.place.fault("A second INSERT of a MERGE is not supported."))
            }
            found.append([])
            inserted = rows
        }
        var affected = 0
        var rows: [[Value]] = []
        for (clause, ids) in zip(merge.clauses, found) {
            for statement in merge.statements(for: clause, ids, inserted) {
                let result = try written(by: statement)
                affected += result.affected
                rows += result.rows.map { merge.answered($0, by: clause) }
            }
        }
        context.rowCount = affected
        return StatementResult(columns: merge.output.map { $0.name ?? "" }, rows: rows, affected: affected)
    }

    /// Returns the rows that earlier clauses have left for a clause.
    private func own(
        _ ids: [Value], of clause: TransactMerge.Clause, _ taken: inout Set<ExactText>
    ) throws(Failure) -> [Value] {
        let free = ids.filter { !taken.contains($0.idKey) }
        for id in free where !taken.insert(id.idKey).inserted {
            throw .fault(
                clause.place.fault("MERGE would change a row more than once: several rows of its source match it."))
        }
        return free
    }
}

extension TransactMerge {
    private var target: TransactSource {
        TransactSource(rows: .table(table), alias: alias, place: table.place)
    }

    private var id: TransactExpression { .column(TransactName(text: "id", place: place), of: name) }

    /// Returns the query for the rows of a clause: ids of rows, or the values of new ones.
    fileprivate func rows(of clause: Clause) -> TransactQuery {
        var select = TransactSelect(place: clause.place)
        func missing(_ source: TransactSource) -> TransactCondition {
            let one = TransactExpression.literal(.integer(1), clause.place)
            let inner = TransactSelect(
                items: [.value(one, name: nil)], sources: [source], condition: condition, place: clause.place)
            return .not(.exists(TransactQuery(first: inner, place: clause.place), clause.place))
        }
        var conditions = clause.condition.map { [$0] } ?? []
        switch clause.rows {
        case .matched: select.sources = [target, source.joined(.inner, on: condition)]
        case .notMatched:
            select.sources = [source]
            conditions.insert(missing(target), at: 0)
        case .notMatchedBySource:
            select.sources = [target]
            conditions.insert(missing(source), at: 0)
        }
        if !conditions.isEmpty { select.condition = .all(conditions) }
        if case .insert(_, let values) = clause.action {
            select.items = values.map { .value($0, name: nil) }
        } else {
            select.items = [.value(id, name: nil)]
        }
        return TransactQuery(first: select, place: clause.place)
    }

    /// Returns the columns that a clause's statement outputs: new rows have no old values, deleted ones no new values.
    private func output(of clause: Clause) -> [TransactOutput] {
        output.filter { output in
            if output.isAction { return false }
            return switch clause.action {
            case .update: true
            case .delete: output.isBefore
            case .insert: !output.isBefore
            }
        }
    }

    /// Returns the output for a row: that of its statement, with null for missing values.
    fileprivate func answered(_ row: [Value], by clause: Clause) -> [Value] {
        var rest = row[...]
        return output.map { output in
            switch clause.action {
            case .update where output.isAction: return "UPDATE"
            case .delete where output.isAction: return "DELETE"
            case .insert where output.isAction: return "INSERT"
            case .delete where !output.isBefore, .insert where output.isBefore: return .null
            default: return rest.popFirst() ?? .null
            }
        }
    }

    /// Returns the statements that write a clause's rows, in batches.
    fileprivate func statements(for clause: Clause, _ ids: [Value], _ rows: [[Value]]) -> [TransactStatement] {
        func literals(_ values: [Value]) -> [TransactExpression] { values.map { .literal($0, clause.place) } }
        let output = output(of: clause)
        if case .insert(let columns, _) = clause.action {
            return rows.chunks(of: 100).map { some in
                .insert(
                    TransactInsert(
                        table: table, columns: columns, output: output, rows: .values(some.map(literals)),
                        place: clause.place))
            }
        }
        return ids.chunks(of: 100).map { some in
            let chosen = TransactCondition.among(id, literals(some), clause.place)
            var change = TransactChange(target: name, output: output, sources: [target], condition: chosen)
            if case .update(let assignments) = clause.action {
                change.assignments = assignments
                if clause.rows == .matched { change.sources.append(source.joined(.inner, on: condition)) }
            }
            return .change(change)
        }
    }
}
