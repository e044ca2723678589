public import Scalars

/// Decides which server of a database runs a job that all of them would start by the clock.
public protocol JobStore: Sendable {
    /// Leases a job for one of its times.
    /// - Parameters:
    ///   - slot: the minute for which it is started, counted from 1970.
    ///   - now: the current time.
    ///   - end: until when no other server may start it.
    /// - Returns: whether the caller holds the lease; false if the job was started for that time or a later one, or is
    ///   still running.
    func lease(job: String, slot: Int64, now: Instant, until end: Instant) async throws(TableError) -> Bool

    /// Extends the lease of a job for one of its times, or releases it if the end is past.
    func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError)
}
