public import OData

/// Which server of a database runs a job that all of them would begin by the clock.
public protocol JobStore: Sendable {
    /// Takes a job for one of its times.
    /// - Parameters:
    ///   - slot: the minute for which it is begun, counted from 1970.
    ///   - now: what time it is.
    ///   - end: until when nobody else may begin it.
    /// - Returns: whether it is the caller's; false where it was begun for that time or a later one, or is still run.
    func lease(job: String, slot: Int64, now: Instant, until end: Instant) async throws(TableError) -> Bool

    /// Goes on holding a job that was taken for a time, or lets it go where the end is past.
    func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError)
}
