import OData
import TableSQL
import Tables

/// The row operations, as members of a batch.
extension WriteSession {
    /// Does a write and keeps its receipt, or answers it as the same write was answered before.
    func perform(_ write: RowWrite) throws(TableError) -> RowWriteResult {
        guard let receipt = write.receipt else { return RowWriteResult(try done(write)) }
        if receipt.isOnce, let again = try connection.kept(receipt, now: now)?.once?.written(found: nil) {
            return again
        }
        let rules = try table(named: write.table).rules
        let done = try done(write)
        guard done.outcome == .written else { return try settled(done, receipt) }
        let record = receipt.keepsRecord(of: write.demand, in: rules) ? done.row?.visited(by: RowRecord()) : nil
        try keep(IdempotencyRecord(of: write.demand, in: rules, version: done.version, record: record), by: receipt)
        return RowWriteResult(done)
    }

    /// A refusal, or the answer of before where that one would be wrong.
    private func settled(_ refused: BatchWriteResult, _ receipt: WriteReceipt) throws(TableError) -> RowWriteResult {
        let kept = try connection.kept(receipt, of: refused.version, now: now)
        let answer = kept?.answer(inPlaceOf: refused.outcome, of: refused.version)
        return answer?.written(found: refused.row) ?? RowWriteResult(refused)
    }

    /// Does a write, without looking for an earlier one like it.
    private func done(_ write: RowWrite) throws(TableError) -> BatchWriteResult {
        switch write.action {
        case .insert(let changes, let properties, let id, let deleted):
            try insert(
                changes, from: properties, id: id, deleted: deleted, scope: write.scope, in: write.table)
        case .update(let id, let changes, let update, let precondition):
            try self.update(id, update, changes, if: precondition, scope: write.scope, in: write.table)
        case .delete(let id, let precondition):
            try delete(id, if: precondition, scope: write.scope, in: write.table)
        }
    }

    /// - Parameter changes: computed from the properties and a table that may be older than the current one.
    func insert(
        _ changes: RowChanges, from properties: [Property], id: RowID?, deleted: Bool = false,
        scope: RowScope? = nil, in name: Identifier
    ) throws(TableError) -> BatchWriteResult {
        var table = try table(named: name)
        var changes = changes
        let renewal = try renewal(of: name)
        var newRow = NewRow(changes.assignments, id: id, deleted: deleted, renewal: renewal, in: table)
        if !table.hasAll(of: changes) {
            // Another write may have made the columns since, perhaps of another type, or another program dropped some.
            changes = try table.changes(from: properties, for: .insert)
            newRow = NewRow(changes.assignments, id: id, deleted: deleted, renewal: renewal, in: table)
        }
        if !changes.newColumns.isEmpty {
            // A write that changes no row adds no columns.
            if let refused = try refusal(of: newRow, in: table, scope: scope) { return refused }
            table = try widen(table, byClient: changes.newColumns)
        }
        let sql = try sql { () throws(QueryError) in
            try InsertStatement(newRow, scope: scope, into: table, dialect: dialect).sql
        }
        if let written = try connection.wholeRow(sql, of: table) { return BatchWriteResult(.written, written) }
        if let refused = try refusal(of: newRow, in: table, scope: scope) { return refused }
        throw WriteVerdict.nothingWritten(to: table.name, in: scope)
    }

    /// - Parameter changes: computed from the update and a table that may be older than the current one.
    func update(
        _ id: RowID, _ update: RowUpdate, _ changes: RowChanges, if precondition: Precondition, scope: RowScope?,
        in name: Identifier
    ) throws(TableError) -> BatchWriteResult {
        var table = try table(named: name)
        var changes = changes
        let demand = WriteDemand.update(if: precondition, includesTombstones: update.includesTombstones)
        let target = RowTarget(id, includesTombstones: update.includesTombstones, scope: scope)
        if update.replaces || !table.hasAll(of: changes) {
            changes = try table.changes(for: update)
        }
        if !changes.newColumns.isEmpty {
            if let refused = try refusal(of: target, demand, in: table) { return refused }
            table = try widen(table, byClient: changes.newColumns)
        }
        return try write(target, demand, in: table) { target throws(TableError) in
            let renewal = try renewal(of: name)
            return try sql { () throws(QueryError) in
                try UpdateStatement(
                    target, set: changes.assignments, deleted: update.deleted, renewal: renewal, in: table,
                    dialect: dialect
                ).sql
            }
        }
    }

    func delete(
        _ id: RowID, if precondition: Precondition, scope: RowScope?, in name: Identifier
    ) throws(TableError) -> BatchWriteResult {
        let table = try table(named: name)
        let target = RowTarget(id, includesTombstones: false, scope: scope)
        return try write(target, .delete(if: precondition), in: table) { target throws(TableError) in
            let renewal = table.rules.softDelete ? try renewal(of: name) : nil
            return try sql { () throws(QueryError) in
                guard let renewal else { return try HardDeleteStatement(target, in: table, dialect: dialect).sql }
                return try UpdateStatement(target, deleted: true, renewal: renewal, in: table, dialect: dialect).sql
            }
        }
    }

    /// Runs a statement that writes the row only if the precondition holds, and finds out why if it doesn't.
    private func write(
        _ target: RowTarget, _ demand: WriteDemand, in table: Table,
        _ statement: (RowTarget) throws(TableError) -> SQLText
    ) throws(TableError) -> BatchWriteResult {
        var versioned = target
        if case .version(let version) = demand.precondition { versioned.version = version }
        if demand.precondition != .unmatchable {
            let sql = try statement(versioned)
            if let written = try connection.wholeRow(sql, of: table) { return BatchWriteResult(.written, written) }
        }
        if let refused = try refusal(of: target, demand, in: table) { return refused }
        throw WriteVerdict.nothingWritten(to: table.name, in: target.scope)
    }

    /// Why a row can't be written, with the row; nil if it can.
    private func refusal(
        of target: RowTarget, _ demand: WriteDemand, in table: Table
    ) throws(TableError) -> BatchWriteResult? {
        let found = try connection.find(target.id, in: table, scope: target.scope)
        let verdict = WriteVerdict(on: demand, found: found?.state, in: table.rules)
        return try verdict.refusal().map { BatchWriteResult($0, found) }
    }

    /// Why a new row can't be written, with the row that has its id, which is only shown in scope; nil if the id is
    /// free.
    private func refusal(
        of new: NewRow, in table: Table, scope: RowScope?
    ) throws(TableError) -> BatchWriteResult? {
        guard let id = new.id else { return nil }
        let found: FoundRow?
        if let scope {
            let find = try sql { () throws(QueryError) in
                try FindStatement(takenBy: id, from: new, scope: scope, in: table, dialect: dialect).sql
            }
            found = try connection.wholeRow(find, of: table, telling: .isInScopeAndWritable)
        } else {
            found = try connection.find(id, in: table)
        }
        let verdict = WriteVerdict(on: .insert, found: found?.state, in: table.rules)
        return try verdict.refusal().map { BatchWriteResult($0, found) }
    }

    /// Adds columns that a client asks for.
    private func widen(_ table: Table, byClient columns: [Column]) throws(TableError) -> Table {
        let limit = limits.columns
        let take = ClientColumnsStatement.take(columns.count, of: table.name, limit: limit, dialect: dialect)
        var isTaken = false
        try connection.query(take.text, take.bindings) { _ in isTaken = true }
        guard isTaken else { throw .tooManyClientColumns(limit: limit) }
        return try widen(table, by: columns)
    }

    /// Adds columns: for this batch at once, for everybody after its commit.
    func widen(_ table: Table, by columns: [Column]) throws(TableError) -> Table {
        guard !columns.isEmpty else { return table }
        try connection.addColumns(columns, to: table.name)
        let wider = table.adding(columns)
        put(wider)
        return wider
    }
}

extension IdempotencyRecord.Answer {
    /// The answer as that of a write.
    /// - Parameter found: the row that was found.
    /// - Returns: nil where the record can't be read.
    func written(found: RowCopy?) -> RowWriteResult? {
        switch self {
        case .foundRow: RowWriteResult(outcome: .written, row: found, isRepeat: true)
        case .record(let record):
            record.visited(by: RowCopy()).map { RowWriteResult(outcome: .written, row: $0, isRepeat: true) }
        }
    }
}

/// Makes a statement, whose errors become those of the call.
func sql<Statement>(_ make: () throws(QueryError) -> Statement) throws(TableError) -> Statement {
    do throws(QueryError) {
        return try make()
    } catch {
        throw TableError(error)
    }
}
