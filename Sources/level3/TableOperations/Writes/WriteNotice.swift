public import HTTPModel
public import Tables

/// A completed, durable write.
public struct WriteNotice: Sendable {
    /// The table's name as it is defined.
    public let table: Identifier
    /// The operation that was done.
    public let operation: Operation
    /// The user of the token; nil without one.
    public let userID: String?
    /// The row after the write, or as it was before its removal.
    public let row: Record
    /// The trace that the write belongs to; nil if there is none.
    public let trace: TraceParent?

    /// Creates a notice.
    public init(_ operation: Operation, of table: Identifier, by userID: String?, row: Record) {
        self.table = table
        self.operation = operation
        self.userID = userID
        self.row = row
        trace = TraceParent.current
    }
}

/// Is notified of completed writes. Never fails or delays one.
public protocol WriteNotices: Sendable {
    /// Returns whether anyone is interested in such writes. Rows are only copied if so.
    func wants(_ operation: Operation, of table: Identifier) -> Bool

    /// Accepts a notice, without waiting.
    func take(_ notice: WriteNotice)
}
