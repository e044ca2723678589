public import OData
import TableSQL
public import Tables

extension PostgresTableStore: JobStore {
    /// On a thread of the pool.
    public func lease(
        job: String, slot: Int64, now: Instant, until end: Instant
    ) async throws(TableError) -> Bool {
        try watch.check()
        let statement = JobStatements.lease(job, slot: slot, now: now, until: end, dialect: PostgresDialect())
        return try await pool.run { connection throws(PostgresFailure) in
            try connection.run(connection.durableSettings + [statement]).last?.rowCount ?? 0 > 0
        }
    }

    /// On a thread of the pool.
    public func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError) {
        try watch.check()
        let statement = JobStatements.extend(job, slot: slot, until: end, dialect: PostgresDialect())
        try await pool.run { connection throws(PostgresFailure) in
            _ = try connection.run(connection.durableSettings + [statement])
        }
    }
}
