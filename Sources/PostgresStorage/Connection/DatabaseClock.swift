import Synchronization

/// Whether the database's clock goes on as it should: by it servers tell each other that they live, and one that jumps ahead
/// would have all of them silent at once.
final class DatabaseClock: Sendable {
    private struct State {
        var last: (milliseconds: Int64, at: ContinuousClock.Instant)?
        var jumpedAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// How long after a jump each server has certainly told anew that it lives.
    static let calm = Duration.seconds(10)
    /// What a round trip may take.
    private static let tolerance: Int64 = 3_000

    /// Takes note of what the clock says.
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

    /// What it says, in milliseconds since 1970, as an expression.
    static let reading = "floor(extract(epoch FROM clock_timestamp()) * 1000)::int8"
}
