public import OData
public import Scalars

/// A list request against one table, after the protocol layer has applied its defaults and limits.
public struct TableQuery: Sendable {
    /// What a row has to fulfil; nil for every row.
    public var filter: Expression?
    /// As the client asked; the store appends the id, so that the order is total.
    public var order: [OrderTerm] = []
    /// Rows to pass over before the first one answered; without effect where `after` is set.
    public var skip = 0
    /// The row after which the page begins, in the order of this query; nil for its first rows.
    public var after: PageCursor?
    /// The stamp of a row that the caller has seen: the first row that bears it, by id, is left out of the page, if it is
    /// still there, and no other. Without effect where `after` is set.
    public var seenStamp: Instant?
    /// The maximum number of rows; fewer if the visitor is full before. The store looks one row further to find out
    /// whether there are more.
    public var limit: Int
    /// The columns to return, in this order and each once, matched with the current table; nil for all.
    public var select: [SelectedName]?
    /// Tombstones too. Without soft delete a table has none, and every row is answered.
    public var includeDeleted = false
    /// Whether to count the rows that match.
    public var wantsCount = false
    /// How the filter and the order compare text.
    public var textComparison: TextComparison = .ignoringCase
    /// How the filter compares nulls.
    public var nullComparison: NullComparison = .unknown
    /// The rows that the caller may see; nil for every row. Others are neither answered nor counted.
    public var scope: RowScope?
    /// What time `now()` is (v3); nil for the database's.
    public var present: Instant?
    /// Whose list it is: askers share what lists may take. Empty for the server's own.
    public var asker = ""

    /// Makes a query for the first rows by id.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// How text is compared and ordered in a query.
public enum TextComparison: String, Sendable, CaseIterable {
    /// Every script's letters without regard to case (v1 and v2, as SQL Server's default collation did).
    case ignoringCase
    /// By code point (v3).
    case ordinal
}

/// How null is compared in a query.
public enum NullComparison: String, Sendable, CaseIterable {
    /// What is compared with null is neither true nor false, and so is its opposite (v1 and v2, as SQL has it).
    case unknown
    /// Null is a value like any other: `ne` is true of it, and what isn't true is false (v3, as C# has it).
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
    /// Rows that match without regard to skip and limit, from the same snapshot; nil where not asked for.
    public let totalCount: Int64?
    /// The place of the last row, from which the next page continues; nil if no row follows, or if the place can't be
    /// expressed, so that only `skip` can continue.
    public let cursor: PageCursor?

    /// Makes a page.
    public init(rows: Rows, rowCount: Int, hasMore: Bool, totalCount: Int64?, cursor: PageCursor? = nil) {
        self.rows = rows
        self.rowCount = rowCount
        self.hasMore = hasMore
        self.totalCount = totalCount
        self.cursor = cursor
    }
}
