public import OData
public import Scalars

/// A list request against one table, after the protocol layer has applied its defaults and limits.
public struct TableQuery: Sendable {
    /// The condition on rows; nil for every row.
    public var filter: Expression?
    /// The order that the client asked for; the store appends the id to make it total.
    public var order: [OrderTerm] = []
    /// The number of rows to skip before the first one returned; ignored if `after` is set.
    public var skip = 0
    /// The row after which the page begins, in the order of this query; nil to begin with the first row.
    public var after: PageCursor?
    /// The stamp of a row that the caller has seen: the first row with it, by id, is left out of the page if it still
    /// exists, and no other. Ignored if `after` is set.
    public var seenStamp: Instant?
    /// The maximum number of rows; fewer if the visitor is full earlier. The store looks one row further to find out
    /// whether there are more.
    public var limit: Int
    /// The columns to return, in this order and each once, matched with the current table; nil for all.
    public var select: [SelectedName]?
    /// Whether to include tombstones. A table without soft delete has none, and every row is returned.
    public var includeDeleted = false
    /// Whether to count the rows that match.
    public var wantsCount = false
    /// How the filter and the order compare text.
    public var textComparison: TextComparison = .ignoringCase
    /// How the filter compares nulls.
    public var nullComparison: NullComparison = .unknown
    /// The rows that the caller may see; nil for every row. Others are neither returned nor counted.
    public var scope: RowScope?
    /// The time that `now()` returns (v3); nil for the database's.
    public var present: Instant?
    /// Whose list it is: askers share the capacity for lists. Empty for the server's own.
    public var asker = ""

    /// Creates a query for the first rows by id.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// How text is compared and ordered in a query.
public enum TextComparison: String, Sendable, CaseIterable {
    /// Ignores the case of letters in every script (v1 and v2, as SQL Server's default collation did).
    case ignoringCase
    /// By code point (v3).
    case ordinal
}

/// How null is compared in a query.
public enum NullComparison: String, Sendable, CaseIterable {
    /// A comparison with null is neither true nor false, and neither is its negation (v1 and v2, as in SQL).
    case unknown
    /// Null is a value like any other: `ne` is true for it, and what isn't true is false (v3, as in C#).
    case value
}

/// One page of a list.
public struct Page<Rows: Sendable>: Sendable {
    /// The visitor, which has seen the rows.
    public var rows: Rows
    /// How many rows the visitor has seen.
    public let rowCount: Int
    /// Whether at least one more row follows the page.
    public let hasMore: Bool
    /// The number of matching rows regardless of skip and limit, from the same snapshot; nil if not requested.
    public let totalCount: Int64?
    /// The place of the last row, from which the next page continues; nil if no row follows, or if the place can't be
    /// expressed, so that only `skip` can continue.
    public let cursor: PageCursor?

    /// Creates a page.
    public init(rows: Rows, rowCount: Int, hasMore: Bool, totalCount: Int64?, cursor: PageCursor? = nil) {
        self.rows = rows
        self.rowCount = rowCount
        self.hasMore = hasMore
        self.totalCount = totalCount
        self.cursor = cursor
    }
}
