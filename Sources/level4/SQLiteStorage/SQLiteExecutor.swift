public import Scalars
public import TableSQL
public import Tables

extension SQLiteTableStore: SQLExecutor, UserStore, DeviceStore, JobStore {
    /// The time of the store's clock.
    public func now() -> Instant { clock() }

    /// Runs on the writer's thread, as one write among others.
    public func execute(_ statements: [SQLFragment]) async throws(TableError) -> [SQLRow] {
        try await writer.write { session throws(TableError) in
            try session.connection.rows(of: statements).last ?? []
        }
    }

    /// Reads in the same way as rows.
    public func rows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await read { connection throws(TableError) in try connection.rows(of: statement) }
    }

    /// Runs on a thread of the pool, one statement after another.
    public func lists(of statements: [SQLFragment]) async throws(TableError) -> [[SQLRow]] {
        try await readInPool(limit: queryTimeLimit) { connection throws(TableError) in
            try connection.rows(of: statements)
        }
    }
}
