/// Limits on what clients may add to a database. Columns of definitions, and whatever operators add, don't count.
public struct ClientLimits: Sendable, Equatable {
    /// The maximum number of columns of one table.
    public var columns: Int
    /// The maximum number of tables.
    public var tables: Int

    /// Creates limits, by default the documented ones.
    public init(columns: Int = 200, tables: Int = 200) {
        self.columns = columns
        self.tables = tables
    }

    /// For callers that aren't clients.
    public static let none = ClientLimits(columns: .max, tables: .max)
}
