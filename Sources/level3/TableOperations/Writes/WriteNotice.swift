public import HTTPModel
public import Tables

/// A write that was done and is durable.
public struct WriteNotice: Sendable {
    /// The table's name as it is defined.
    public let table: Identifier
    /// What was done.
    public let operation: Operation
    /// The user of the token; nil without one.
    public let userID: String?
    /// The row as it is after the write; as it was where it is gone.
    public let row: Record
    /// The trace that the write belongs to; nil for none.
    public let trace: TraceParent?

    /// Makes a notice.
    public init(_ operation: Operation, of table: Identifier, by userID: String?, row: Record) {
        self.table = table
        self.operation = operation
        self.userID = userID
        self.row = row
        trace = TraceParent.current
    }
}

/// Learns of writes after they are done. Never fails or delays one.
public protocol WriteNotices: Sendable {
    /// Whether anybody wants to know of such writes. Rows are copied only then.
    func wants(_ operation: Operation, of table: Identifier) -> Bool

    /// Takes a notice over, at once.
    func take(_ notice: WriteNotice)
}
