import Tables

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
