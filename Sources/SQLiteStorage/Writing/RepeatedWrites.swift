import OData
import Tables

extension WriteSession {
    /// Does a write and keeps its receipt, or answers it as the same write was answered before.
    func perform<Row: RowVisitor>(_ write: RowWrite, into row: Row) throws(TableError) -> WriteResult<Row> {
        guard let receipt = write.receipt else {
            let done = try done(write, into: row)
            return WriteResult(done.outcome, done.row)
        }
        if receipt.isOnce, let again = try connection.kept(receipt, now: now)?.once(into: row) { return again }
        let removesRow = write.removesRow(of: try table(named: write.table))
        guard receipt.isOnce || removesRow else {
            let done = try done(write, into: row)
            if done.outcome == .written { try keep(receipt, version: done.version, record: nil) }
            return try settled(done.outcome, done.version, done.row, receipt, fresh: row)
        }
        let done = try done(write, into: RecordedVisit(row))
        if done.outcome == .written {
            try keep(receipt, version: removesRow ? nil : done.version, record: done.row.record)
        }
        return try settled(done.outcome, done.version, done.row.row, receipt, fresh: row)
    }

    /// A refusal, or the answer of before where the row is as the same write left it: then the refusal would be wrong.
    private func settled<Row: RowVisitor>(
        _ outcome: WriteOutcome, _ version: Version?, _ row: Row, _ receipt: WriteReceipt, fresh: Row
    ) throws(TableError) -> WriteResult<Row> {
        guard outcome != .written, let kept = try connection.kept(receipt, now: now) else {
            return WriteResult(outcome, row)
        }
        return kept.answer(inPlaceOf: outcome, of: version, row, fresh: fresh) ?? WriteResult(outcome, row)
    }

    private func keep(_ receipt: WriteReceipt, version: Version?, record: RowRecord?) throws(TableError) {
        try connection.run(
            "INSERT OR REPLACE INTO zumod_receipts (key, written_at, version, record) VALUES (?1, ?2, ?3, ?4)",
            [
                .text(receipt.key.hexText), .integer(now.milliseconds),
                version.map { .integer($0.counter) } ?? .null, record.map { .text($0.bytes.hexText) } ?? .null,
            ])
        receiptsKept += 1
        guard receiptsKept.isMultiple(of: Self.sweepInterval) else { return }
        // A few more than have come since the last time, so that old ones never heap up.
        try connection.run(
            """
            DELETE FROM zumod_receipts WHERE key IN
                (SELECT key FROM zumod_receipts WHERE written_at < ?1 ORDER BY written_at LIMIT ?2)
            """, [.integer(receipt.start(of: now).milliseconds), .integer(Int64(4 * Self.sweepInterval))])
    }

    private static let sweepInterval = 32
}
