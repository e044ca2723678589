/// A table's columns as the database has them.
public struct TableSchema: Sendable, Equatable {
    /// The server's columns that the table has.
    public var systemColumns: Set<SystemColumn> = []
    /// The table's own columns in the order of their creation, except those that no client can write.
    public var columns: [Column] = []
    /// The names of all columns, as the database has them.
    public var columnNames: [String] = []
    /// Whether the database numbers the rows.
    public var hasIntegerID = false

    /// Creates the schema of a table without columns.
    public init() {}

    /// Whether no system column is missing, so that the table can be served.
    public var isWhole: Bool { systemColumns.count == SystemColumn.allCases.count }

    /// Returns the table's rules as far as they are known without a definition.
    /// - Parameter softDelete: the registered setting.
    public func rules(softDelete: Bool) -> TableRules {
        var rules = TableRules()
        rules.softDelete = softDelete
        rules.autoIncrement = hasIntegerID
        return rules
    }
}
