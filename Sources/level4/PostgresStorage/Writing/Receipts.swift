import ByteText
import OData
import Scalars
import TableSQL
import Tables

/// The statements that recognize a repeated write.
extension WriteReceipt {
    /// Finds the record of the write if it was done before, within the window.
    func find(now: Instant) -> SQLText {
        SQLText(
            "SELECT version, record FROM zumod_receipts WHERE key = $1::text AND written_at >= $2::int8",
            [.text(key.hexText), .integer(start(of: now).milliseconds)])
    }

    /// Stores the record of the write.
    func keep(_ kept: IdempotencyRecord, now: Instant) -> SQLText {
        SQLText(
            """
            INSERT INTO zumod_receipts (key, written_at, version, record)
            VALUES ($1::text, $2::int8, $3::int8, $4::text) ON CONFLICT (key) DO UPDATE
            SET written_at = excluded.written_at, version = excluded.version, record = excluded.record
            """,
            [
                .text(key.hexText), .integer(now.milliseconds),
                kept.version.map { .integer($0.counter) } ?? .null,
                kept.record.map { .text($0.bytes.hexText) } ?? .null,
            ])
    }

    /// Removes a number of expired records.
    func sweep(_ count: Int, now: Instant) -> SQLText {
        SQLText(
            """
            DELETE FROM zumod_receipts WHERE key IN (SELECT key FROM zumod_receipts WHERE written_at < $1::int8
                ORDER BY written_at LIMIT $2::int8 FOR UPDATE SKIP LOCKED)
            """, [.integer(start(of: now).milliseconds), .integer(Int64(count))])
    }
}

extension RowWrite {
    /// Returns the statement that stores the record of the write; nil if there is none to store.
    func keepReceipt(of written: PostgresRowWriteResult, now: Instant) -> SQLText? {
        guard let receipt, written.outcome == .written, !written.isRepeat else { return nil }
        let rules = written.table.rules
        let record = receipt.keepsRecord(of: demand, in: rules) ? written.visited(by: RowRecord()) : nil
        return receipt.keep(
            IdempotencyRecord(of: demand, in: rules, version: written.version, record: record), now: now)
    }

    /// Returns the statement that finds the row that a repeat is about; nil if the record alone gives the answer.
    func findRepeated(in table: Table) throws(QueryError) -> SQLText? {
        guard receipt?.isOnce == false, let id else { return nil }
        let target = RowTarget(id, includesTombstones: true, scope: scope)
        return try FindStatement(writing: target, in: table, dialect: PostgresDialect()).sql
    }

    /// Returns the earlier answer; nil if the write has to be done.
    /// - Parameter found: the result of `findRepeated`.
    func repeated(_ kept: IdempotencyRecord, found: PostgresResult?, in table: Table) -> PostgresRowWriteResult? {
        let state = found?.rowState(of: table, telling: RowStateColumns(writingIn: scope))
        return kept.answer(to: self, found: state, in: table.rules).flatMap {
            PostgresRowWriteResult($0, found: found.map { .result($0) }, of: table)
        }
    }
}

extension IdempotencyRecord {
    /// - Returns: nil if there was no such write within the window.
    init?(_ result: PostgresResult) {
        guard result.rowCount > 0 else { return nil }
        self.init(
            version: result.isNull(0, 0) ? nil : Version(counter: result.integer(0, 0)),
            record: result.isNull(0, 1) ? nil : [UInt8](hexText: result.string(0, 1)).map { RowRecord(bytes: $0) })
    }
}
