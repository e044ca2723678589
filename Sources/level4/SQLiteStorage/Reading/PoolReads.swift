import Tables
import WorkThreads

extension SQLiteTableStore {
    /// Reads on a thread of the pool.
    /// - Parameters:
    ///   - asker: empty for the server's own reads, which give way to lists that clients wait for.
    ///   - limit: the total time for waiting and running, after which the read fails with `timeout`.
    func readInPool<Success: Sendable>(
        by asker: String = "", limit: Duration,
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        try await pool.run(by: asker, limit: limit) { [readers, writer] ticket throws(TableError) in
            let read = { @Sendable (connection: SQLiteConnection) throws(TableError) -> Success in
                try connection.withTimeLimit(of: ticket) { () throws(TableError) in try body(connection) }
            }
            guard let readers else { return try writer.wait(for: read) }
            return try readers.read(read)
        }
    }
}
