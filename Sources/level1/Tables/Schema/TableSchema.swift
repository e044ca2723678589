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

    /// The server's columns that the table lacks.
    public var lostColumns: [SystemColumn] { SystemColumn.allCases.filter { !systemColumns.contains($0) } }

    /// Whether no system column is missing, so that the table can be served.
    public var isWhole: Bool { lostColumns.isEmpty }
}
