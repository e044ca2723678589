/// The tables of a database as they were at one moment, while others keep writing to it.
///
/// Used by one task at a time, and closed by whoever opened it.
public protocol TableSnapshot: Sendable {
    /// The tables, by name, and the numbers that the database keeps besides them.
    func contents() async throws(TableError) -> SnapshotContents

    /// Reads rows of a table in the order of their ids, including tombstones.
    /// - Parameter cursor: the row after which to begin; nil for the first rows.
    func page<Rows: RowVisitor>(
        of table: Table, after cursor: PageCursor?, limit: Int, into rows: Rows
    ) async throws(TableError) -> Page<Rows>

    /// Lets the moment go.
    func close() async
}

/// What a snapshot holds.
public struct SnapshotContents: Sendable {
    /// The tables, by name.
    public let tables: [SnapshotTable]
    /// The tables that the database lacks by then, or that have lost a column of the server's.
    public let away: [Identifier]

    /// Puts contents together.
    public init(tables: [SnapshotTable], away: [Identifier]) {
        self.tables = tables
        self.away = away
    }
}

/// A table of a snapshot.
public struct SnapshotTable: Sendable {
    /// The table with all its columns. Of its rules, those that say how the rows are kept.
    public let table: Table
    /// How far the database's numbers have come.
    public let marks: TransferMarks

    /// Puts a table together.
    public init(_ table: Table, _ marks: TransferMarks) {
        self.table = table
        self.marks = marks
    }
}
