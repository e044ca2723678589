import OData
import Tables

extension WriteSession {
    /// Does a write and keeps its receipt, or answers it as the same write was answered before.
    func perform<Row: RowVisitor>(_ write: RowWrite, into row: Row) throws(TableError) -> WriteResult<Row> {
        guard let receipt = write.receipt else {
            let done = try done(write, into: row)
            return WriteResult(done.outcome, done.row)
        }
        if receipt.isOnce, let again = try connection.kept(receipt, now: now)?.once?.result(row, fresh: row) {
            return again
        }
        let rules = try table(named: write.table).rules
        guard receipt.keepsRecord(of: write.demand, in: rules) else {
            let done = try done(write, into: row)
            if done.outcome == .written {
                try keep(KeptReceipt(of: write.demand, in: rules, version: done.version, record: nil), by: receipt)
            }
            return try settled(done.outcome, done.version, done.row, receipt, fresh: row)
        }
        let done = try done(write, into: RecordedVisit(row))
        if done.outcome == .written {
            let record = done.row.record
            try keep(KeptReceipt(of: write.demand, in: rules, version: done.version, record: record), by: receipt)
        }
        return try settled(done.outcome, done.version, done.row.row, receipt, fresh: row)
    }

    /// A refusal, or the answer of before where that one would be wrong.
    private func settled<Row: RowVisitor>(
        _ outcome: WriteOutcome, _ version: Version?, _ row: Row, _ receipt: WriteReceipt, fresh: Row
    ) throws(TableError) -> WriteResult<Row> {
        guard outcome != .written, let kept = try connection.kept(receipt, of: version, now: now) else {
            return WriteResult(outcome, row)
        }
        return kept.answer(inPlaceOf: outcome, of: version)?.result(row, fresh: fresh) ?? WriteResult(outcome, row)
    }
}

extension KeptReceipt.Answer {
    /// The answer as the result of a write.
    /// - Parameters:
    ///   - found: has seen the row that was found.
    ///   - fresh: has seen no row yet.
    /// - Returns: nil where the record can't be read.
    func result<Row: RowVisitor>(_ found: Row, fresh: Row) -> WriteResult<Row>? {
        switch self {
        case .foundRow: WriteResult(.written, found, isRepeat: true)
        case .record(let record): record.visited(by: fresh).map { WriteResult(.written, $0, isRepeat: true) }
        }
    }
}
