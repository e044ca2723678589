import Tables
import WorkThreads

extension SQLiteTableStore {
    /// Reads on a thread of the pool, where lists that somebody waits for may go first.
    /// - Parameter limit: the total time for waiting and running. After it, what runs ends with `timeout`.
    func readInPool<Success: Sendable>(
        limit: Duration, _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        try await pool.run(by: "", limit: limit) { [readers, writer] turn throws(TableError) in
            let read = { @Sendable (connection: SQLiteConnection) throws(TableError) -> Success in
                try connection.withTimeLimit(of: turn) { () throws(TableError) in try body(connection) }
            }
            guard let readers else { return try writer.wait(for: read) }
            return try readers.read(read)
        }
    }
}
