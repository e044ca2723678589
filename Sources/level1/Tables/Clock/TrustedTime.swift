public import Scalars
import Synchronization

/// The current time for irreversible operations: by the machine's clock and the database's own, if both can be trusted.
public final class TrustedTime: Sendable {
    /// Which clock.
    public enum Side: String, Sendable { case server, database }

    private struct State {
        var server = ClockTrust()
        var database = ClockTrust()
        /// The database's clock when it was last read, and when that was; nil if it has none.
        var reading: (clock: Instant, run: Duration)?
        /// Since when the two differ by more than allowed; nil if they don't.
        var atOddsSince: Duration?
        var notes: [(Side, ClockTrust.Note)] = []
    }

    private let state = Mutex(State())
    private let wall: Clock
    private let run: @Sendable () -> Duration

    /// - Parameters:
    ///   - wall: the machine's clock.
    ///   - run: how long a clock that never jumps has run.
    public init(
        wall: @escaping Clock = SystemClock.now, run: @escaping @Sendable () -> Duration = TrustedTime.sinceStart
    ) {
        self.wall = wall
        self.run = run
    }

    /// How long the process has run, including the time that the machine slept.
    public static let sinceStart: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now)
    }

    /// Returns the current time; nil if it can't be trusted. Each call checks the clock, so that no jump is missed.
    public func now() -> Instant? {
        state.withLock { state in
            let (wall, run) = look(&state)
            guard state.server.isBelieved, state.atOddsSince == nil else { return nil }
            guard let reading = state.reading else { return wall }
            guard state.database.isBelieved else { return nil }
            let passed = (run - reading.run) / .milliseconds(1)
            return min(wall, Instant(milliseconds: reading.clock.milliseconds + Int64(passed)))
        }
    }

    /// Checks the machine's clock.
    /// - Returns: the findings since the last time.
    public func look() -> [(side: Side, note: ClockTrust.Note)] {
        state.withLock { state in
            _ = look(&state)
            defer { state.notes = [] }
            return state.notes.map { ($0.0, $0.1) }
        }
    }

    /// Records what the database knows about the time.
    public func know(_ reading: TimeReading) {
        state.withLock { state in
            let (wall, run) = look(&state)
            state.server.know(reading.known, at: run)
            state.database.know(reading.known, at: run)
            state.reading = reading.clock.map { ($0, run) }
            guard let clock = reading.clock else { return }
            if let note = state.database.look(clock, at: run) { state.notes.append((.database, note)) }
            let gap = Double(wall.milliseconds) - Double(clock.milliseconds)
            let isAtOdds = gap.magnitude > ClockTrust.leap / .milliseconds(1)
            state.atOddsSince = isAtOdds ? state.atOddsSince ?? run : nil
        }
    }

    /// For how long either clock hasn't been trusted.
    public var doubt: Duration {
        let run = run()
        return state.withLock { state in
            let odds = state.atOddsSince.map { run - $0 } ?? .zero
            return max(state.server.doubt(at: run), state.reading == nil ? .zero : state.database.doubt(at: run), odds)
        }
    }

    /// Whether the two clocks differ by more than allowed.
    public var isAtOdds: Bool { state.withLock { $0.atOddsSince != nil } }

    private func look(_ state: inout State) -> (Instant, Duration) {
        let (wall, run) = (wall(), run())
        if let note = state.server.look(wall, at: run) { state.notes.append((.server, note)) }
        return (wall, run)
    }
}
