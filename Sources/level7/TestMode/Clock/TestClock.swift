import Scalars
import Synchronization
import Tables

/// A clock that tests set, move and stop. It starts out as the machine's clock.
///
/// It never affects order: row stamps keep rising when it is set back, as they do with a machine's clock.
final class TestClock: Sendable {
    private struct State {
        /// What is added to the machine's time, in milliseconds.
        var lead: Int64 = 0
        /// The time at which it stands still; nil while it runs.
        var frozen: Int64?
    }

    private let state = Mutex(State())
    private let machine: Clock

    /// The times it can be set to: from 1970 to the end of the year 8999, which leaves room for stamps to rise.
    static let range: ClosedRange<Int64> = 0...221_845_391_999_999

    /// Creates a clock that follows the machine's.
    init(machine: @escaping Clock = SystemClock.now) {
        self.machine = machine
    }

    /// The current time for everything that uses it.
    func now() -> Instant {
        state.withLock { state in Instant(milliseconds: Self.present(state, machine().milliseconds)) }
    }

    /// The current time as an instant for rate limits, which moves as this clock does.
    func continuous() -> ContinuousClock.Instant {
        Self.start + .milliseconds(now().milliseconds)
    }

    /// Whether it differs from the machine's clock.
    var isSet: Bool { state.withLock { $0.frozen != nil || $0.lead != 0 } }

    /// Whether it stands still.
    var isFrozen: Bool { state.withLock { $0.frozen != nil } }

    /// How far it is ahead of the machine's clock, in milliseconds.
    var lead: Int64 { now().milliseconds - machine().milliseconds }

    /// Sets the time. The clock keeps running, or keeps standing still.
    func set(_ present: Instant) {
        state.withLock { state in
            let moved = Self.clamped(present.milliseconds)
            if state.frozen != nil { state.frozen = moved } else { state.lead = moved - machine().milliseconds }
        }
    }

    /// Moves it forward, or back if the number of milliseconds is negative.
    func advance(by milliseconds: Int64) {
        state.withLock { state in
            let present = Self.present(state, machine().milliseconds)
            let moved = Self.clamped(present.addingReportingOverflow(milliseconds).partialValue)
            if state.frozen != nil { state.frozen = moved } else { state.lead += moved - present }
        }
    }

    /// Stops it at the current time.
    func freeze() {
        state.withLock { state in state.frozen = Self.present(state, machine().milliseconds) }
    }

    /// Lets it run on from the time at which it was stopped.
    func release() {
        state.withLock { state in
            guard let frozen = state.frozen else { return }
            state.lead = frozen - machine().milliseconds
            state.frozen = nil
        }
    }

    /// Makes it follow the machine's clock again.
    func reset() {
        state.withLock { $0 = State() }
    }

    /// Continues from the current state of another clock.
    func follow(_ other: TestClock) {
        let copy = other.state.withLock { $0 }
        state.withLock { $0 = copy }
    }

    private static let start = ContinuousClock.now

    private static func present(_ state: State, _ machine: Int64) -> Int64 {
        state.frozen ?? clamped(machine + state.lead)
    }

    private static func clamped(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, range.lowerBound), range.upperBound)
    }
}
