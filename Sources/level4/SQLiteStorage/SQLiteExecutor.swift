public import Scalars
public import TableSQL
public import Tables

extension SQLiteTableStore: SQLExecutor, UserStore, DeviceStore, JobStore {
    /// SQLite's own.
    public var dialect: any SQLDialect { SQLiteDialect() }

    /// By the store's clock.
    public func now() -> Instant { clock() }

    /// On the writer's thread, as one write among others.
    public func execute(_ statements: [SQLText]) async throws(TableError) -> [SQLRow] {
        try await writer.write { session throws(TableError) in
            try session.connection.rows(of: statements).last ?? []
        }
    }

    /// Read as rows are.
    public func rows(of statement: SQLText) async throws(TableError) -> [SQLRow] {
        try await read { connection throws(TableError) in try connection.rows(of: statement) }
    }

    /// On a thread of the pool, one after the other.
    public func lists(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]] {
        try await readInPool(limit: queryTimeLimit) { connection throws(TableError) in
            try connection.rows(of: statements)
        }
    }
}
