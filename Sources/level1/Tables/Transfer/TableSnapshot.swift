public import Scalars

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
    /// The highest version that was given.
    public let version: Version
    /// The tables, by name.
    public let tables: [SnapshotTable]
    /// The tables that the database lacks by then, or that have lost a column of the server's.
    public let away: [Identifier]

    /// Puts contents together.
    public init(version: Version, tables: [SnapshotTable], away: [Identifier] = []) {
        self.version = version
        self.tables = tables
        self.away = away
    }
}

/// A table of a snapshot.
public struct SnapshotTable: Sendable {
    /// The table with all its columns. Of its rules, those that say how the rows are kept.
    public let table: Table
    /// The table's last stamp.
    public let lastStamp: Instant
    /// The stamp up to which tombstones were purged; nil if none were.
    public let purgedThrough: Instant?
    /// The last number given to a row; nil if the table numbers none, or none yet.
    public let lastNumber: Int64?

    /// Puts a table together.
    public init(table: Table, lastStamp: Instant, purgedThrough: Instant?, lastNumber: Int64?) {
        self.lastNumber = lastNumber
        self.table = table
        self.lastStamp = lastStamp
        self.purgedThrough = purgedThrough
    }
}
