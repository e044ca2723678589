/// A table's columns as its database has them.
public struct TableSchema: Sendable, Equatable {
    /// The server's columns that the table has.
    public var systemColumns: Set<SystemColumn> = []
    /// The table's own columns in the order of their creation; those that no client can write are left out.
    public var columns: [Column] = []
    /// The names of all columns, as the database has them.
    public var columnNames: [String] = []
    /// Whether the database numbers the rows.
    public var hasIntegerID = false

    /// A table without columns.
    public init() {}

    /// Whether no column of the server was lost, so that the table can be served.
    public var isWhole: Bool { systemColumns.count == SystemColumn.allCases.count }

    /// The table's rules if no definition says more.
    /// - Parameter softDelete: as registered.
    public func rules(softDelete: Bool) -> TableRules {
        var rules = TableRules()
        rules.softDelete = softDelete
        rules.autoIncrement = hasIntegerID
        return rules
    }
}
