import ByteText
import Scalars
import Tables

extension SQLiteConnection {
    /// Returns the record of the write with a receipt.
    /// - Parameter version: the version of the row that the repeated write finds; nil if there is none.
    /// - Returns: nil if there was no such write within the window.
    func kept(_ receipt: WriteReceipt, of version: Version? = nil, now: Instant) throws(TableError)
        -> IdempotencyRecord?
    {
        if let version, try leftRow(with: version, receipt, now: now) {
            return IdempotencyRecord(version: version, record: nil)
        }
        var kept: IdempotencyRecord?
        try query(.findReceipt, [.text(receipt.key.hexText), .integer(receipt.start(of: now).milliseconds)]) { row in
            kept = IdempotencyRecord(
                version: row.kind(at: 0) == .integer ? Version(counter: row.integer(at: 0)) : nil,
                record: row.kind(at: 1) == .null
                    ? nil : [UInt8](hexText: row.string(at: 1)).map { RowRecord(bytes: $0) })
        }
        return kept
    }

    /// Whether the write with this receipt gave its row this version.
    private func leftRow(
        with version: Version, _ receipt: WriteReceipt, now: Instant
    ) throws(TableError) -> Bool {
        var isKept = false
        try query(
            .findRowReceipt,
            [.integer(version.counter), .integer(receipt.request), .integer(receipt.start(of: now).milliseconds)]
        ) { _ in isKept = true }
        return isKept
    }
}

extension WriteSession {
    /// Stores the record of a write, and removes expired ones now and then.
    func keep(_ kept: IdempotencyRecord, by receipt: WriteReceipt) throws(TableError) {
        if let version = kept.version, kept.record == nil {
            try connection.run(
                .keepRowReceipt,
                [.integer(version.counter), .integer(receipt.request), .integer(now.milliseconds)])
        } else {
            try connection.run(
                .keepReceipt,
                [
                    .text(receipt.key.hexText), .integer(now.milliseconds),
                    kept.version.map { .integer($0.counter) } ?? .null,
                    kept.record.map { .text($0.bytes.hexText) } ?? .null,
                ])
        }
        receiptsKept += 1
        if receipt.isTimed, receiptsKept.isMultiple(of: Self.sweepInterval) { try sweep(from: receipt.start(of: now)) }
    }

    /// Removes somewhat more records than were added since the last time, so that old ones never pile up.
    /// - Parameter start: the start of the window that ends now.
    private func sweep(from start: Instant) throws(TableError) {
        let count = Value.integer(Int64(4 * Self.sweepInterval))
        try connection.run(
            """
            DELETE FROM zumod_receipts WHERE key IN
                (SELECT key FROM zumod_receipts WHERE written_at < ?1 ORDER BY written_at LIMIT ?2)
            """, [.integer(start.milliseconds), count])
        // The lowest versions are the oldest. One by a clock that was wrong by more than a window must not keep others.
        let end = now.milliseconds + (now.milliseconds - start.milliseconds)
        try connection.run(
            """
            DELETE FROM zumod_row_receipts WHERE written_at NOT BETWEEN ?1 AND ?2
                AND (SELECT written_at FROM zumod_row_receipts ORDER BY version LIMIT 1) NOT BETWEEN ?1 AND ?2
                AND version IN (SELECT version FROM zumod_row_receipts ORDER BY version LIMIT ?3)
            """, [.integer(start.milliseconds), .integer(end), count])
    }

    private static let sweepInterval = 32
}

extension WriteReceipt {
    /// The first eight bytes of the key.
    fileprivate var request: Int64 {
        key.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
