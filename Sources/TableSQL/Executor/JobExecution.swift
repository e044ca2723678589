public import OData
public import Tables

/// What a `JobStore` does, by statements.
extension SQLExecutor {
    /// Takes the job in one statement.
    public func lease(
        job: String, slot: Int64, now: Instant, until end: Instant
    ) async throws(TableError) -> Bool {
        try await !execute([JobStatements.lease(job, slot: slot, now: now, until: end, dialect: dialect)]).isEmpty
    }

    /// Changes the row in one statement.
    public func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError) {
        _ = try await execute([JobStatements.extend(job, slot: slot, until: end, dialect: dialect)])
    }
}
