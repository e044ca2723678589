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

}

extension RepeatableWrite {
    /// The statement that finds the row that the write is about; nil where the receipt alone answers.
    func findStatement(in table: Table) throws(QueryError) -> SQLText? {
        guard !receipt.isOnce, let id else { return nil }
        let target = RowTarget(id, includesTombstones: true, scope: scope)
        return try FindStatement(writing: target, in: table, dialect: PostgresDialect()).sql
    }

    /// The answer of before; nil where the write has to be made.
    /// - Parameter found: what `findStatement` answered.
    func repeated(_ kept: KeptReceipt, found: PostgresResult?, in table: Table) -> WrittenRow? {
        if receipt.isOnce { return kept.record.map { WrittenRow(repeating: .record($0), of: table) } }
        guard let found else { return nil }
        var write = RowWrite(action: .update, table: table.name, id: id, precondition: precondition, scope: scope)
        switch kind {
        case .insert:
            return found.rowCount > 0 ? kept.answer(inPlaceOf: WrittenRow(.duplicate, of: table, found)) : nil
        case .update(let includesTombstones): write.update.includesTombstones = includesTombstones
        case .delete: break
        }
        guard case .success(let refused)? = write.refusal(found: found, in: table) else { return nil }
        return kept.answer(inPlaceOf: refused)
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

    /// The answer of before, where the row is as the same write left it: then a refusal would be wrong.
    /// - Returns: nil where the refusal is right.
    func answer(inPlaceOf refused: WrittenRow) -> WrittenRow? {
        switch refused.outcome {
        case .written, .taken: return nil
        case .missing:
            guard version == nil, let record else { return nil }
            return WrittenRow(repeating: .record(record), of: refused.table)
        case .mismatch, .duplicate, .tombstone:
            guard let version, version == refused.version else { return nil }
            return WrittenRow(repeating: refused.source, of: refused.table)
        }
    }
}
