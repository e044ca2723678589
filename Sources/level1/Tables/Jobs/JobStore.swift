public import Scalars

/// Which server of a database runs a job that all of them would begin by the clock.
public protocol JobStore: Sendable {
    /// Takes a job for one of its times.
    /// - Parameters:
    ///   - slot: the minute for which it is started, counted from 1970.
    ///   - now: what time it is.
    ///   - end: until when nobody else may start it.
    /// - Returns: whether it is the caller's; false if it was started for that time or a later one, or is still
    ///   running.
    func lease(job: String, slot: Int64, now: Instant, until end: Instant) async throws(TableError) -> Bool

    /// Keeps holding a job that was taken for a time, or releases it if the end is past.
    func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError)
}
