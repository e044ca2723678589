import OData
import TableSQL
import Tables

/// The statements by which a write is known again.
extension WriteReceipt {
    /// Finds what the write came to when it was done before, within the window.
    func find(now: Instant) -> SQLText {
        SQLText(
            text: "SELECT version, record FROM zumod_receipts WHERE key = $1::text AND written_at >= $2::int8",
            bindings: [.text(key.hexText), .integer(start(of: now).milliseconds)])
    }

    /// Keeps what the write came to.
    /// - Parameters:
    ///   - version: that of the row; nil where it was removed.
    ///   - record: the row, where it can't be read again.
    func keep(version: Version?, record: RowRecord?, now: Instant) -> SQLText {
        SQLText(
            text: """
                INSERT INTO zumod_receipts (key, written_at, version, record)
                VALUES ($1::text, $2::int8, $3::int8, $4::text) ON CONFLICT (key) DO UPDATE
                SET written_at = excluded.written_at, version = excluded.version, record = excluded.record
                """,
            bindings: [
                .text(key.hexText), .integer(now.milliseconds), version.map { .integer($0.counter) } ?? .null,
                record.map { .text($0.bytes.hexText) } ?? .null,
            ])
    }

    /// Removes a number of receipts whose window is over.
    func sweep(_ count: Int, now: Instant) -> SQLText {
        SQLText(
            text: """
                DELETE FROM zumod_receipts WHERE key IN (SELECT key FROM zumod_receipts WHERE written_at < $1::int8
                    ORDER BY written_at LIMIT $2::int8 FOR UPDATE SKIP LOCKED)
                """, bindings: [.integer(start(of: now).milliseconds), .integer(Int64(count))])
    }
}

extension RowWrite {
    /// The statement that keeps the receipt of the write; nil where there is none to keep.
    func keepReceipt(of written: WrittenRow, now: Instant) -> SQLText? {
        guard let receipt, written.outcome == .written, !written.isRepeat else { return nil }
        let removesRow = action == .delete && !written.table.rules.softDelete
        return receipt.keep(
            version: removesRow ? nil : written.version,
            record: removesRow || receipt.isOnce ? written.visited(by: RowRecord()) : nil, now: now)
    }

    /// The answer of before, where the row is as the same write left it: then a refusal would be wrong.
    /// - Parameter kept: what `find` answered.
    func repeated(_ refused: WrittenRow, kept: PostgresResult) -> WrittenRow {
        guard let known = KeptReceipt(kept) else { return refused }
        switch refused.outcome {
        case .written, .taken: return refused
        case .missing:
            guard known.version == nil, let record = known.record else { return refused }
            return WrittenRow(repeating: .record(record), of: refused.table)
        case .mismatch, .duplicate, .tombstone:
            guard let version = known.version, version == refused.version else { return refused }
            return WrittenRow(repeating: refused.source, of: refused.table)
        }
    }
}

/// What is known of a write that was done before.
struct KeptReceipt {
    /// The version that its row got; nil where the row was removed.
    let version: Version?
    /// The row that was answered, where it was kept.
    let record: RowRecord?

    /// - Returns: nil where there was no such write within the window.
    init?(_ result: PostgresResult) {
        guard result.rowCount > 0 else { return nil }
        version = result.isNull(0, 0) ? nil : Version(counter: result.integer(0, 0))
        record = result.isNull(0, 1) ? nil : [UInt8](hexText: result.string(0, 1)).map { RowRecord(bytes: $0) }
    }
}
