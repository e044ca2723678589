/// What a store keeps about a write with a receipt, from which the same write is answered when it is sent again.
public struct IdempotencyRecord: Sendable {
    /// The version that its row got; nil if the row was removed.
    public let version: Version?
    /// The row that was returned, if it was kept.
    public let record: RowRecord?

    /// A receipt as it was kept.
    public init(version: Version?, record: RowRecord?) {
        self.version = version
        self.record = record
    }

    /// What to keep about a completed write.
    /// - Parameters:
    ///   - version: that of the returned row.
    ///   - record: that row, if `keepsRecord` asks for it.
    public init(of demand: WriteDemand, in rules: TableRules, version: Version?, record: RowRecord?) {
        self.init(version: demand.removesRow(by: rules) ? nil : version, record: record)
    }

    /// How a repeat is answered.
    public enum Answer: Sendable {
        /// The row that was found: it is still as the same write left it.
        case foundRow
        /// The row as it was answered before.
        case record(RowRecord)
    }

    /// The answer to a write that is done once, whatever became of its row since; nil if the row was not kept.
    public var once: Answer? { record.map { .record($0) } }

    /// The answer instead of a refusal that would be wrong, because the row is as the same write left it.
    /// - Parameter version: that of the row in the refusal; nil if none is returned.
    /// - Returns: nil if the refusal is right.
    public func answer(inPlaceOf refusal: WriteOutcome, of version: Version?) -> Answer? {
        switch refusal {
        case .written, .taken: nil
        case .missing: self.version == nil ? once : nil
        case .mismatch, .duplicate, .tombstone: version != nil && version == self.version ? .foundRow : nil
        }
    }

    /// How a write that was not yet made is answered.
    /// - Parameter found: its row; nil if there is none in scope. A write that is done once needs none.
    /// - Returns: nil if the write has to be made to know its result.
    public func answer(to write: RowWrite, found: RowState?, in rules: TableRules) -> Answer? {
        if write.receipt?.isOnce == true { return once }
        guard write.id != nil else { return nil }
        guard case .refused(let refusal) = WriteVerdict(on: write.demand, found: found, in: rules) else { return nil }
        return answer(inPlaceOf: refusal, of: found?.version)
    }
}

extension WriteReceipt {
    /// Whether the row is kept with the receipt of a write: if it has to be returned as it was, or is gone.
    public func keepsRecord(of demand: WriteDemand, in rules: TableRules) -> Bool {
        isOnce || demand.removesRow(by: rules)
    }
}
