import Synchronization

/// Monitors whether the database's clock advances as it should. Servers use it to tell each other that they are alive:
/// if it jumped ahead, all of them would seem silent at once.
final class DatabaseClock: Sendable {
    private struct State {
        var last: (milliseconds: Int64, at: ContinuousClock.Instant)?
        var jumpedAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// How long after a jump every server has certainly reported again.
    static let calm = Duration.seconds(10)
    /// The maximum duration of a round trip, in milliseconds.
    private static let tolerance: Int64 = 3_000

    /// Records a reading of the clock.
    func look(_ milliseconds: Int64, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            if let last = state.last {
                let passed = last.at.duration(to: now).milliseconds
                let (step, isBeyond) = milliseconds.subtractingReportingOverflow(last.milliseconds)
                if isBeyond || !(-Self.tolerance...Self.tolerance).contains(step - passed) { state.jumpedAt = now }
            }
            state.last = (milliseconds, now)
        }
    }

    /// Whether it hasn't jumped for a while.
    func isSteady(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in state.jumpedAt.map { $0.duration(to: now) > Self.calm } ?? true }
    }

    /// The clock's time in milliseconds since 1970, as an SQL expression.
    static let reading = "floor(extract(epoch FROM clock_timestamp()) * 1000)::int8"
}
