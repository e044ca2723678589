import OData
import Synchronization
import TableSQL
public import Tables
import WorkThreads

/// The tables of a database file as of one moment. Its server may keep writing: new data stays in the log.
public final class SQLiteSnapshot: TableSnapshot {
    /// nil once it is closed.
    private let connection: Mutex<SQLiteConnection?>

    /// Opens the file for reading and fixes the moment.
    ///
    /// - Throws: `definition` if the database has another schema than this program's, `unavailable` if there is no
    ///   database.
    public static func open(_ path: String) throws(TableError) -> SQLiteSnapshot {
        let connection = try SQLiteConnection(reading: path)
        try connection.refuseOtherSchema()
        try connection.run("BEGIN")
        // The first read determines the moment.
        try connection.run("SELECT value FROM zumod_counters WHERE name = 'version'")
        return SQLiteSnapshot(connection)
    }

    private init(_ connection: SQLiteConnection) {
        self.connection = Mutex(connection)
    }

    /// Reads what the database stores about its tables.
    public func contents() async throws(TableError) -> SnapshotContents {
        try read { connection throws(TableError) in try connection.contents() }
    }

    /// Reads at the same moment as rows.
    public func userRecords() async throws(TableError) -> UserRecords {
        try read { connection throws(TableError) in try connection.userRecords() }
    }

    /// Reads on the caller's thread.
    public func page<Rows: RowVisitor>(
        of table: Table, after cursor: PageCursor?, limit: Int, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        var query = TableQuery(limit: limit)
        query.includeDeleted = true
        query.after = cursor
        let selects = SelectCache(SQLiteDialect())
        let reading = try sql { () throws(QueryError) in try ListReading(query, of: table, by: selects) }
        let endless = QueueTicket(patience: .zero)
        return try read { connection throws(TableError) in
            try reading.run(on: connection, in: endless, into: rows)
        }
    }

    /// Reads the table once.
    public func lostValues(of table: Table) async throws(TableError) -> [UnfitValues] {
        try read { connection throws(TableError) in try connection.lostValues(of: table) }
    }

    /// Closes the connection.
    public func close() async {
        connection.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    private func read<Success: Sendable>(
        _ body: (SQLiteConnection) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        try connection.withLock { connection throws(TableError) in
            guard let connection else { throw .closed }
            return try body(connection)
        }
    }
}
