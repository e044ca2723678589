public import OData
import TableSQL
public import Tables

extension SQLiteTableStore: JobStore {
    /// Written on the writer's thread.
    public func lease(
        job: String, slot: Int64, now: Instant, until end: Instant
    ) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            let statement = JobStatements.lease(job, slot: slot, now: now, until: end, dialect: session.dialect)
            var isTaken = false
            try session.connection.query(statement.text, statement.bindings) { _ in isTaken = true }
            return isTaken
        }
    }

    /// Written on the writer's thread.
    public func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError) {
        try await writer.write { session throws(TableError) in
            try session.connection.run(JobStatements.extend(job, slot: slot, until: end, dialect: session.dialect))
        }
    }
}
