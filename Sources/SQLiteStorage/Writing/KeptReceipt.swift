import OData
import Tables

/// What is known of a write that was done before.
struct KeptReceipt {
    /// The version that its row got; nil where the row was removed.
    let version: Version?
    /// The row that was answered, where it was kept.
    let record: RowRecord?

    /// The answer to a write that is done once.
    func once<Row: RowVisitor>(into row: Row) -> WriteResult<Row>? {
        record?.visited(by: row).map { WriteResult(.written, $0, isRepeat: true) }
    }

    /// The answer of before, where the row is as the same write left it: then a refusal would be wrong.
    /// - Parameters:
    ///   - version: that of the row that the refusal speaks of.
    ///   - fresh: has seen no row yet.
    /// - Returns: nil where the refusal is right.
    func answer<Row: RowVisitor>(
        inPlaceOf refusal: WriteOutcome, of version: Version?, _ row: Row, fresh: Row
    ) -> WriteResult<Row>? {
        switch refusal {
        case .written, .taken: nil
        case .missing: self.version == nil ? once(into: fresh) : nil
        case .mismatch, .duplicate, .tombstone:
            version != nil && version == self.version ? WriteResult(.written, row, isRepeat: true) : nil
        }
    }
}

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
                record: [UInt8](hexText: row.string(at: 1)).map { RowRecord(bytes: $0) })
        }
        return kept
    }
}
