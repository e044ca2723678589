import OData
import Synchronization
import TableSQL
public import Tables

/// The tables of a database as of one moment, while its servers keep writing.
public final class PostgresSnapshot: TableSnapshot {
    private let pool: ReadPool

    /// Connects and fixes the moment.
    ///
    /// - Throws: `definition` if the URL is invalid or the database has another schema than this program's,
    ///   `unavailable` if it is away.
    public static func open(url: String) async throws(TableError) -> PostgresSnapshot {
        // A single connection, which keeps the transaction open.
        let pool = try SchemaTask.pool(url, statementTimeout: .zero)
        do throws(TableError) {
            try await pool.run { connection throws(PostgresFailure) in
                try connection.refuseOtherSchema()
                try connection.beginLongRead()
                // Rows that a policy hides would be missing without a word; so the database refuses to read the table.
                _ = try connection.run("SET LOCAL row_security = off")
                // The first read determines the moment.
                _ = try connection.run("SELECT epoch FROM zumod_schema")
            }
        } catch {
            await pool.close()
            throw error
        }
        return PostgresSnapshot(pool)
    }

    private init(_ pool: ReadPool) {
        self.pool = pool
    }

    /// Reads what the database stores about its tables.
    public func contents() async throws(TableError) -> SnapshotContents {
        try await read { connection throws(PostgresFailure) in try connection.contents() }
    }

    /// Reads at the same moment as rows.
    public func userRecords() async throws(TableError) -> UserRecords {
        try await read { connection throws(PostgresFailure) in try connection.userRecords() }
    }

    /// Reads on the snapshot's thread.
    public func page<Rows: RowVisitor>(
        of table: Table, after cursor: PageCursor?, limit: Int, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        var query = TableQuery(limit: limit)
        query.includeDeleted = true
        query.after = cursor
        let statement: SelectStatement
        do throws(QueryError) {
            statement = try SelectStatement(query: query, table: table, dialect: PostgresDialect())
        } catch {
            throw .query(error)
        }
        return try await read { connection throws(PostgresFailure) in
            var walk = PageWalk(rows, layout: statement.layout, limit: limit)
            _ = walk.take(try connection.run(statement.sql))
            return walk.page(totalCount: nil, placeColumns: statement.placeColumns)
        }
    }

    /// Reads the table once.
    public func lostValues(of table: Table) async throws(TableError) -> [UnfitValues] {
        try await read { connection throws(PostgresFailure) in try connection.lostValues(of: table) }
    }

    /// Closes the connection, and so ends the transaction.
    public func close() async {
        await pool.close()
    }

    private func read<Success: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        try await pool.run { connection throws(PostgresFailure) in
            // A new connection doesn't have the snapshot.
            guard connection.isInTransaction else {
                throw .table(.unavailable(detail: "the connection broke, and the snapshot with it"))
            }
            return try body(connection)
        }
    }
}
