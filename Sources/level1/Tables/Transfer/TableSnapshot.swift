/// The tables of a database as they were at one moment, while others keep writing to it.
///
/// To be used by one task at a time, and closed by the opener.
public protocol TableSnapshot: Sendable {
    /// Returns the tables, by name, and the numbers that the database keeps besides them.
    func contents() async throws(TableError) -> SnapshotContents

    /// Returns the users of the server's own login, and who had their names before.
    func userRecords() async throws(TableError) -> UserRecords

    /// Reads rows of a table in the order of their ids, including tombstones.
    /// - Parameter cursor: the row after which to begin; nil for the first rows.
    func page<Rows: RowVisitor>(
        of table: Table, after cursor: PageCursor?, limit: Int, into rows: Rows
    ) async throws(TableError) -> Page<Rows>

    /// Returns the values of a table that an export changes, or that an import refuses, by column.
    func lostValues(of table: Table) async throws(TableError) -> [UnfitValues]

    /// Releases the snapshot.
    func close() async
}

/// The contents of a snapshot.
public struct SnapshotContents: Sendable {
    /// The tables, by name.
    public let tables: [SnapshotTable]
    /// The tables that the database lacked at that moment, or that had lost a system column.
    public let away: [Identifier]

    /// Creates contents.
    public init(tables: [SnapshotTable], away: [Identifier]) {
        self.tables = tables
        self.away = away
    }
}

/// A table of a snapshot.
public struct SnapshotTable: Sendable {
    /// The table with all its columns. Of its rules, only those that determine how rows are stored are set.
    public let table: Table
    /// The current values of the database's counters.
    public let marks: TransferMarks
    /// The columns that the database has and no answer shows, such as those of types without a form in JSON.
    public let unserved: [String]

    /// Creates a snapshot's table.
    public init(_ table: Table, _ marks: TransferMarks, unserved: [String]) {
        self.table = table
        self.marks = marks
        self.unserved = unserved
    }
}
