public import Scalars
public import TableSQL
public import Tables

extension PostgresTableStore: SQLExecutor, UserStore, DeviceStore, JobStore {
    /// The time of the store's clock.
    public func now() -> Instant { clock() }

    /// Runs on a thread of the pool, in one round trip.
    public func execute(_ statements: [SQLFragment]) async throws(TableError) -> [SQLRow] {
        try await ready(pool).run { connection throws(PostgresFailure) in
            let settings = connection.localSettings + connection.durableSettings
            return try connection.transaction(connection.texts(of: statements), with: settings).last?.rows ?? []
        }
    }

    /// Runs on a thread of the pool.
    public func rows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await ready(pool).run { connection throws(PostgresFailure) in try connection.rows(of: statement) }
    }

    /// Runs on a thread of its own.
    public func quickRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await ready(quickPool).run { connection throws(PostgresFailure) in try connection.rows(of: statement) }
    }

    /// Runs on a thread of the pool, in one round trip.
    public func lists(of statements: [SQLFragment]) async throws(TableError) -> [[SQLRow]] {
        try await ready(pool).runList(by: "") { connection throws(PostgresFailure) in
            try connection.read(connection.texts(of: statements)).map(\.rows)
        }
    }
}
