import Tables
import WorkThreads

extension SQLiteTableStore {
    /// Reads on a thread of the pool, where a list that somebody waits for may take its turn first.
    /// - Parameter limit: the time for waiting and running in sum; what runs then ends with `timeout`.
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
