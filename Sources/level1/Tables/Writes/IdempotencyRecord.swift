/// What a store keeps about a write with a receipt, for answering the same write when it is sent again.
public struct IdempotencyRecord: Sendable {
    /// The version that the row got; nil if the row was removed.
    public let version: Version?
    /// The row that was returned, if it is kept.
    public let record: RowRecord?

    /// Creates a record as it was stored.
    public init(version: Version?, record: RowRecord?) {
        self.version = version
        self.record = record
    }

    /// Creates the record of a completed write.
    /// - Parameters:
    ///   - version: the version of the returned row.
    ///   - record: the returned row, if `keepsRecord` asks for it.
    public init(of demand: WriteDemand, in rules: TableRules, version: Version?, record: RowRecord?) {
        self.init(version: demand.removesRow(by: rules) ? nil : version, record: record)
    }

    /// The answer to a repeat.
    public enum Answer: Sendable {
        /// The row that was found: it is still as the first write left it.
        case foundRow
        /// The row as it was first answered.
        case record(RowRecord)
    }

    /// The answer to a write that is done once, whatever has become of its row; nil if the row was not kept.
    public var once: Answer? { record.map { .record($0) } }

    /// Returns the answer that replaces a refusal that would be wrong, because the row is as the same write left it.
    /// - Parameter version: the version of the refusal's row; nil if none is returned.
    /// - Returns: nil if the refusal is right.
    public func answer(inPlaceOf refusal: WriteOutcome, of version: Version?) -> Answer? {
        switch refusal {
        case .written, .taken: nil
        case .missing: self.version == nil ? once : nil
        case .mismatch, .duplicate, .tombstone: version != nil && version == self.version ? .foundRow : nil
        }
    }

    /// Returns the answer to a write that has not yet been performed.
    /// - Parameter found: its row; nil if there is none in scope. A write that is done once doesn't need it.
    /// - Returns: nil if the write has to be performed to know its result.
    public func answer(to write: RowWrite, found: RowState?, in rules: TableRules) -> Answer? {
        if write.receipt?.isOnce == true { return once }
        guard write.id != nil else { return nil }
        guard case .refused(let refusal) = WriteVerdict(on: write.demand, found: found, in: rules) else { return nil }
        return answer(inPlaceOf: refusal, of: found?.version)
    }
}

extension WriteReceipt {
    /// Returns whether the row is kept with the receipt of a write: if it must be returned as it was, or is gone.
    public func keepsRecord(of demand: WriteDemand, in rules: TableRules) -> Bool {
        isOnce || demand.removesRow(by: rules)
    }
}
