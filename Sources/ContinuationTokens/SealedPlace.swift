public import Tables

/// The content of a continuation's text.
public struct SealedCursor: Sendable, Equatable {
    /// The row after which the list continues.
    public let cursor: PageCursor
    /// How many rows the list had at its first page; nil if nobody asked for that.
    public let count: Int64?

    /// Puts both together.
    public init(cursor: PageCursor, count: Int64?) {
        self.cursor = cursor
        self.count = count
    }
}
