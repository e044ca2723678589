public import OData

/// A list request against one table, after the protocol layer has applied its defaults and limits.
public struct TableQuery: Sendable {
    /// What a row has to fulfil; nil for every row.
    public var filter: Expression?
    /// As the client asked; the store appends the id, so that the order is total.
    public var order: [OrderTerm] = []
    /// Rows to pass over before the first one answered.
    public var skip = 0
    /// The most rows to answer. The store looks one row further to tell whether there are more.
    public var limit: Int
    /// The columns to answer, in this order; nil for all.
    public var select: [Field]?
    /// Tombstones too. Without soft delete a table has none, and every row is answered.
    public var includeDeleted = false
    /// Whether to count the rows that match.
    public var wantsCount = false
    /// How the filter and the order compare text.
    public var textComparison: TextComparison = .ignoringCase

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

/// One page of a list.
public struct Page<Rows: Sendable>: Sendable {
    /// The visitor, which has seen the rows.
    public let rows: Rows
    /// How many rows the visitor has seen.
    public let rowCount: Int
    /// Whether at least one more row follows the page.
    public let hasMore: Bool
    /// Rows that match without regard to skip and limit, from the same snapshot; nil where not asked for.
    public let totalCount: Int64?

    /// Makes a page.
    public init(rows: Rows, rowCount: Int, hasMore: Bool, totalCount: Int64?) {
        self.rows = rows
        self.rowCount = rowCount
        self.hasMore = hasMore
        self.totalCount = totalCount
    }
}
