import ByteText
import OData
import Tables

extension SQLiteConnection {
    /// What a receipt says of the write that it was kept for.
    /// - Returns: nil where there was no such write within the window.
    func kept(_ receipt: WriteReceipt, now: Instant) throws(TableError) -> KeptReceipt? {
        var kept: KeptReceipt?
        try query(
            "SELECT version, record FROM zumod_receipts WHERE key = ?1 AND written_at >= ?2",
            [.text(receipt.key.hexText), .integer(receipt.start(of: now).milliseconds)]
        ) { row in
            kept = KeptReceipt(
                version: row.kind(at: 0) == .integer ? Version(counter: row.integer(at: 0)) : nil,
                record: row.kind(at: 1) == .null
                    ? nil : [UInt8](hexText: row.string(at: 1)).map { RowRecord(bytes: $0) })
        }
        return kept
    }
}

extension WriteSession {
    /// Keeps what a write came to, and now and then removes what was kept for long enough.
    func keep(_ kept: KeptReceipt, by receipt: WriteReceipt) throws(TableError) {
        try connection.run(
            "INSERT OR REPLACE INTO zumod_receipts (key, written_at, version, record) VALUES (?1, ?2, ?3, ?4)",
            [
                .text(receipt.key.hexText), .integer(now.milliseconds),
                kept.version.map { .integer($0.counter) } ?? .null,
                kept.record.map { .text($0.bytes.hexText) } ?? .null,
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
