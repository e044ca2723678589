public import Scalars
public import Tables

/// A `JobStore` by SQL statements. All servers may call it at once: the row's lock decides.
extension SQLExecutor {
    /// Leases the job in one statement.
    public func lease(
        job: String, slot: Int64, now: Instant, until end: Instant
    ) async throws(TableError) -> Bool {
        assert(end > now, "what is over at once keeps nobody away")
        // A lease left by a clock that was far ahead would keep the job from running until then.
        let farAhead = now.milliseconds + minutesFarAhead * 60_000
        return try await isDone(
            """
            INSERT INTO zumod_jobs AS j (name, slot, leased_until) VALUES (\(.text(job)), \(.integer(slot)), \
            \(.integer(end.milliseconds))) ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, \
            leased_until = excluded.leased_until \
            WHERE (j.slot < excluded.slot OR j.slot > excluded.slot + \(.integer(minutesFarAhead))) \
            AND (j.leased_until <= \(.integer(now.milliseconds)) OR j.leased_until > \(.integer(farAhead))) \
            RETURNING slot
            """)
    }

    /// Updates the row in one statement.
    public func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError) {
        _ = try await execute([
            """
            UPDATE zumod_jobs SET leased_until = \(.integer(end.milliseconds)) \
            WHERE name = \(.text(job)) AND slot = \(.integer(slot))
            """
        ])
    }
}

/// The minutes beyond which a slot can't come from a correct clock: a day.
private let minutesFarAhead: Int64 = 1_440
