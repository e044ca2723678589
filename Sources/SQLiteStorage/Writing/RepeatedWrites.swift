import OData
import Tables

extension WriteSession {
    /// Does a write and keeps its receipt, or answers it as the same write was answered before.
    func perform(_ write: RowWrite) throws(TableError) -> WrittenRow {
        guard let receipt = write.receipt else { return WrittenRow(try done(write)) }
        if receipt.isOnce, let again = try connection.kept(receipt, now: now)?.once?.written(found: nil) {
            return again
        }
        let rules = try table(named: write.table).rules
        let done = try done(write)
        guard done.outcome == .written else { return try settled(done, receipt) }
        let record = receipt.keepsRecord(of: write.demand, in: rules) ? done.row?.visited(by: RowRecord()) : nil
        try keep(KeptReceipt(of: write.demand, in: rules, version: done.version, record: record), by: receipt)
        return WrittenRow(done)
    }

    /// A refusal, or the answer of before where that one would be wrong.
    private func settled(_ refused: DoneWrite, _ receipt: WriteReceipt) throws(TableError) -> WrittenRow {
        let kept = try connection.kept(receipt, of: refused.version, now: now)
        let answer = kept?.answer(inPlaceOf: refused.outcome, of: refused.version)
        return answer?.written(found: refused.row) ?? WrittenRow(refused)
    }
}

extension KeptReceipt.Answer {
    /// The answer as that of a write.
    /// - Parameter found: the row that was found.
    /// - Returns: nil where the record can't be read.
    func written(found: RowCopy?) -> WrittenRow? {
        switch self {
        case .foundRow: WrittenRow(outcome: .written, row: found, isRepeat: true)
        case .record(let record):
            record.visited(by: RowCopy()).map { WrittenRow(outcome: .written, row: $0, isRepeat: true) }
        }
    }
}
