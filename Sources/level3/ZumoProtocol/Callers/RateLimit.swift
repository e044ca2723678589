import ByteText
import Synchronization
import WorkThreads

/// Limits how often each caller may do something, with a token bucket per caller.
///
/// A bucket is forgotten only once it is full again, so no flood of other callers gives anyone their turns back. Beyond
/// the callers counted individually, several share a bucket by hash; hashes differ between processes.
public final class RateLimit: Sendable {
    private let callers: Int
    private let state: Mutex<State>

    /// The clock of the current task; nil for the machine's. Tests of clients use their own.
    @TaskLocal public static var clock: Clock?

    /// A clock. It is a struct for the same reason as `RandomID.Source`.
    public struct Clock: Sendable {
        fileprivate let now: @Sendable () -> ContinuousClock.Instant

        /// - Parameter now: returns the current time.
        public init(_ now: @escaping @Sendable () -> ContinuousClock.Instant) {
            self.now = now
        }
    }

    /// The current time, by the task's clock.
    public static var present: ContinuousClock.Instant { clock?.now() ?? .now }

    private struct Bucket {
        var tokens: Double
        var at: ContinuousClock.Instant
        /// Spreads the retries of callers that share the bucket.
        var retries = RetryStagger()
    }

    /// How many turns there are at once, and how fast they are refilled.
    private struct Pace {
        let burst: Double
        let perSecond: Double

        func refilled(_ bucket: Bucket, at now: ContinuousClock.Instant) -> Bucket {
            let passed = max(0, bucket.at.duration(to: now) / .seconds(1))
            var bucket = bucket
            bucket.tokens = min(burst, bucket.tokens + passed * perSecond)
            bucket.at = max(bucket.at, now)
            return bucket
        }

        func wait(for bucket: Bucket) -> Int? {
            bucket.tokens >= 1 ? nil : max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up)))
        }
    }

    private struct State {
        var pace: Pace
        /// By the callers' hashes, as names may be of any length.
        var own: [Int: Bucket] = [:]
        /// The buckets of callers for whom there was no room, by the remainders of their hashes.
        var shared: [Int: Bucket] = [:]
        /// When full buckets were last removed.
        var swept: ContinuousClock.Instant?
    }

    /// The number of buckets for callers without their own.
    private static let sharedBuckets = 4_096

    /// - Parameters:
    ///   - burst: the maximum number of turns at once.
    ///   - perMinute: the rate in the long run.
    ///   - callers: the maximum number of callers with their own bucket.
    public init(burst: Int, perMinute: Double, callers: Int = 100_000) {
        self.callers = callers
        state = Mutex(State(pace: Pace(burst: Double(burst), perSecond: perMinute / 60)))
    }

    /// The maximum number of turns at once.
    public var burst: Int { Int(state.withLock { $0.pace.burst }) }

    /// Changes the limit to another one of the same form. Turns already taken stay taken.
    public func change(to perMinute: Int, at now: ContinuousClock.Instant = RateLimit.present) {
        state.withLock { state in
            let before = state.pace
            let gained = Double(perMinute) - before.burst
            guard perMinute > 0, gained != 0 else { return }
            func changed(_ bucket: Bucket) -> Bucket {
                var bucket = before.refilled(bucket, at: now)
                bucket.tokens = max(0, bucket.tokens + gained)
                return bucket
            }
            state.own = state.own.mapValues(changed)
            state.shared = state.shared.mapValues(changed)
            state.pace = Pace(burst: Double(perMinute), perSecond: Double(perMinute) / 60)
        }
    }

    /// Creates a limit as operators write it: that many at once, and that many a minute in the long run.
    /// - Returns: nil for 0, which means no limit.
    public convenience init?(_ perMinute: Int) {
        guard perMinute > 0 else { return nil }
        self.init(burst: perMinute, perMinute: Double(perMinute))
    }

    /// Takes a turn for a caller.
    /// - Returns: nil if it may proceed; otherwise the number of whole seconds to wait, at least one.
    public func wait(for caller: String, at now: ContinuousClock.Instant = RateLimit.present) -> Int? {
        change(caller, at: now) { bucket, pace in
            if let seconds = pace.wait(for: bucket) { return seconds }
            bucket.tokens -= 1
            return nil
        }
    }

    /// Takes a turn for one of several callers with the same name, such as the devices behind one address. Those that
    /// find none are told to retry one after another, as turns become available: if they all came at once, all but one
    /// would come in vain.
    /// - Returns: nil if it may proceed; otherwise the number of seconds after which to retry, at least one.
    public func spreadWait(for caller: String, at now: ContinuousClock.Instant = RateLimit.present) -> Int? {
        change(caller, at: now) { bucket, pace in
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return nil
            }
            let (missing, step) = ((1 - bucket.tokens) / pace.perSecond, 1 / pace.perSecond)
            return bucket.retries.seconds(ahead: .seconds(missing), step: .seconds(step), at: now)
        }
    }

    /// Reserves a turn for a caller who waits for it: callers with the same name get theirs one after another, however
    /// many ask.
    /// - Returns: the time until the turn; nil if that exceeds `patience`, in which case no turn is taken.
    func reserve(
        for caller: String, within patience: Duration, at now: ContinuousClock.Instant = RateLimit.present
    ) -> Duration? {
        change(caller, at: now) { bucket, pace in
            let wait = Duration.seconds(max(0, (1 - bucket.tokens) / pace.perSecond))
            guard wait <= patience else { return nil }
            bucket.tokens -= 1
            return wait
        }
    }

    /// Returns what `wait` would, without taking a turn.
    public func waitAhead(of caller: String, at now: ContinuousClock.Instant = RateLimit.present) -> Int? {
        change(caller, at: now) { bucket, pace in pace.wait(for: bucket) }
    }

    /// Gives back a turn that should not have counted.
    public func giveBack(to caller: String, at now: ContinuousClock.Instant = RateLimit.present) {
        change(caller, at: now) { bucket, pace in bucket.tokens = min(pace.burst, bucket.tokens + 1) }
    }

    private func change<Result>(
        _ caller: String, at now: ContinuousClock.Instant, _ body: (inout Bucket, Pace) -> Result
    ) -> Result {
        let key = ExactText(caller).hashValue
        // The hash differs between processes: choosing a name doesn't mean choosing with whom to share a bucket.
        let place = Int(UInt(bitPattern: key) % UInt(Self.sharedBuckets))
        return state.withLock { state in
            let pace = state.pace
            if let known = state.own[key] {
                var bucket = pace.refilled(known, at: now)
                defer { state.own[key] = bucket }
                return body(&bucket, pace)
            }
            // Turns taken from a shared bucket stay taken once there is room for the caller's own.
            var bucket = pace.refilled(state.shared[place] ?? Bucket(tokens: pace.burst, at: now), at: now)
            defer {
                if hasRoom(&state, at: now) { state.own[key] = bucket } else { state.shared[place] = bucket }
            }
            return body(&bucket, pace)
        }
    }

    /// Returns whether there is room for another bucket, after removing full ones: at most once a second, because that
    /// takes a while.
    private func hasRoom(_ state: inout State, at now: ContinuousClock.Instant) -> Bool {
        if state.own.count < callers { return true }
        if let swept = state.swept, swept.duration(to: now) < .seconds(1) { return false }
        state.swept = now
        let pace = state.pace
        func isSpent(_ bucket: Bucket) -> Bool { pace.refilled(bucket, at: now).tokens < pace.burst }
        state.own = state.own.filter { isSpent($0.value) }
        state.shared = state.shared.filter { isSpent($0.value) }
        return state.own.count < callers
    }
}
