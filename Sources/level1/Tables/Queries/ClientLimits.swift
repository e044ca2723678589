/// What clients may add to a database. Columns of definitions, and what operators make, don't count.
public struct ClientLimits: Sendable, Equatable {
    /// The most columns of one table.
    public var columns: Int
    /// The most tables.
    public var tables: Int

    /// The documented defaults, unless specified otherwise.
    public init(columns: Int = 200, tables: Int = 200) {
        self.columns = columns
        self.tables = tables
    }

    /// For callers that aren't clients.
    public static let none = ClientLimits(columns: .max, tables: .max)
}
