import OData
import TableSQL
import Tables

/// Row operations, as members of a batch.
extension WriteSession {
    /// Performs a write and stores its record, or repeats the answer of the same write before.
    func perform(_ write: RowWrite) throws(TableError) -> SQLiteRowWriteResult {
        guard let receipt = write.receipt else { return SQLiteRowWriteResult(try done(write)) }
        if receipt.isOnce, let again = try connection.kept(receipt, now: now)?.once?.written(found: nil) {
            return again
        }
        let rules = try table(named: write.table).rules
        let done = try done(write)
        guard done.outcome == .written else { return try settled(done, receipt) }
        let record = receipt.keepsRecord(of: write.demand, in: rules) ? done.row?.visited(by: RowRecord()) : nil
        try keep(IdempotencyRecord(of: write.demand, in: rules, version: done.version, record: record), by: receipt)
        return SQLiteRowWriteResult(done)
    }

    /// Returns a refusal, or the earlier answer if the refusal would be wrong.
    private func settled(_ refused: BatchWriteResult, _ receipt: WriteReceipt) throws(TableError)
        -> SQLiteRowWriteResult
    {
        let kept = try connection.kept(receipt, of: refused.version, now: now)
        let answer = kept?.answer(inPlaceOf: refused.outcome, of: refused.version)
        return answer?.written(found: refused.row) ?? SQLiteRowWriteResult(refused)
    }

    /// Performs a write without looking for an earlier one like it.
    private func done(_ write: RowWrite) throws(TableError) -> BatchWriteResult {
        var table = try table(named: write.table)
        let changes = try write.changes(by: table)
        if let changes, !changes.newColumns.isEmpty {
            // A write that changes no row adds no columns.
            if let refused = try refusal(of: write, changes, in: table) { return refused }
            table = try widen(table, byClient: changes.newColumns)
        }
        if write.precondition != .unmatchable {
            let renewal = write.demand.removesRow(by: table.rules) ? nil : try renewal(of: write.table)
            let statement = try sql { () throws(QueryError) in
                try write.statement(changes, renewal, in: table, dialect: dialect)
            }
            if let statement, let written = try connection.wholeRow(statement, of: table) {
                return BatchWriteResult(.written, written)
            }
        }
        if let refused = try refusal(of: write, changes, in: table) { return refused }
        throw WriteVerdict.nothingWritten(to: table.name, in: write.scope)
    }

    /// Returns why a row can't be written, with the row that has its id if that is in scope; nil if it can be written.
    private func refusal(
        of write: RowWrite, _ changes: RowChanges?, in table: Table
    ) throws(TableError) -> BatchWriteResult? {
        guard let id = write.id else { return nil }
        var found: FoundRow?
        if write.scope == nil {
            found = try connection.find(id, in: table)
        } else {
            let find = try sql { () throws(QueryError) in
                try write.findStatement(changes, in: table, now: now, dialect: dialect)
            }
            if let find { found = try connection.wholeRow(find, of: table, telling: write.findTells) }
        }
        let verdict = WriteVerdict(on: write.demand, found: found?.state, in: table.rules)
        return try verdict.refusal().map { BatchWriteResult($0, found) }
    }

    /// Adds columns that a client asks for.
    private func widen(_ table: Table, byClient columns: [Column]) throws(TableError) -> Table {
        let limit = limits.columns
        let take = ClientColumnsStatement.take(columns.count, of: table.name, limit: limit)
        guard try !connection.rows(of: take).isEmpty else { throw .tooManyClientColumns(limit: limit) }
        return try widen(table, by: columns)
    }

    /// Adds columns: for this batch immediately, for others after its commit.
    func widen(_ table: Table, by columns: [Column]) throws(TableError) -> Table {
        guard !columns.isEmpty else { return table }
        try connection.addColumns(columns, to: table.name)
        let wider = table.adding(columns)
        put(wider)
        return wider
    }
}

extension IdempotencyRecord.Answer {
    /// Returns the result of a write from its record.
    /// - Parameter found: the row that was found.
    /// - Returns: nil if the record can't be read.
    func written(found: RowCopy?) -> SQLiteRowWriteResult? {
        switch self {
        case .foundRow: SQLiteRowWriteResult(outcome: .written, row: found, isRepeat: true)
        case .record(let record):
            record.visited(by: RowCopy()).map { SQLiteRowWriteResult(outcome: .written, row: $0, isRepeat: true) }
        }
    }
}

/// Creates a statement, and turns errors into those of the call.
func sql<Statement>(_ make: () throws(QueryError) -> Statement) throws(TableError) -> Statement {
    do throws(QueryError) {
        return try make()
    } catch {
        throw TableError(error)
    }
}
