public import Tables

/// What a continuation's text stands for.
public struct SealedPlace: Sendable, Equatable {
    /// The row behind which the list goes on.
    public let cursor: PageCursor
    /// How many rows the list had at its first page; nil where nobody asked for that.
    public let count: Int64?

    /// Puts both together.
    public init(cursor: PageCursor, count: Int64?) {
        self.cursor = cursor
        self.count = count
    }
}
