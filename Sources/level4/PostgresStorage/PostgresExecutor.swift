public import Scalars
public import TableSQL
public import Tables

extension PostgresTableStore: SQLExecutor, UserStore, DeviceStore, JobStore {
    /// The dialect of PostgreSQL.
    public var dialect: any SQLDialect { PostgresDialect() }

    /// The time of the store's clock.
    public func now() -> Instant { clock() }

    /// Runs on a thread of the pool, in one round trip.
    public func execute(_ statements: [SQLText]) async throws(TableError) -> [SQLRow] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let settings = connection.localSettings + connection.durableSettings
            return try connection.transaction(statements, with: settings).last?.rows ?? []
        }
    }

    /// Runs on a thread of the pool.
    public func rows(of statement: SQLText) async throws(TableError) -> [SQLRow] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in try connection.run(statement).rows }
    }

    /// Runs on a thread of the pool, in one round trip.
    public func lists(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]] {
        try watch.check()
        return try await pool.runList(by: "") { connection throws(PostgresFailure) in
            try connection.read(statements).map(\.rows)
        }
    }
}
