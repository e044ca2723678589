import ByteText
import Synchronization
import WorkThreads

/// Lets each caller do something only so often, with a token bucket for each.
///
/// A bucket is forgotten only once it is full again, so no flood of other callers gives anyone their turns back. Beyond
/// the callers counted individually, several share a bucket by their hash; the hashes are different in each process.
public final class RateLimit: Sendable {
    private let callers: Int
    private let state: Mutex<State>

    /// What time it is for the current task; nil for the machine's. Tests of clients have clocks of their own.
    @TaskLocal public static var clock: Clock?

    /// Somebody's time; a type of its own as `RandomID.Source` is one.
    public struct Clock: Sendable {
        fileprivate let now: @Sendable () -> ContinuousClock.Instant

        /// - Parameter now: what time it is at each call.
        public init(_ now: @escaping @Sendable () -> ContinuousClock.Instant) {
            self.now = now
        }
    }

    /// When turns are counted that nothing else is said of.
    public static var present: ContinuousClock.Instant { clock?.now() ?? .now }

    private struct Bucket {
        var tokens: Double
        var at: ContinuousClock.Instant
        /// What callers are told who share it and find no turn.
        var retries = RetryStagger()
    }

    /// How many turns there are at once, and how fast they come again.
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
        /// By the callers' hashes, as a name may be of any length.
        var own: [Int: Bucket] = [:]
        /// The buckets of callers for whom there was no room, by the remainders of their hashes.
        var shared: [Int: Bucket] = [:]
        /// When it was last looked which buckets are full again.
        var swept: ContinuousClock.Instant?
    }

    /// The buckets of callers that have none of their own.
    private static let sharedBuckets = 4_096

    /// - Parameters:
    ///   - burst: how often at once.
    ///   - perMinute: how often in the long run.
    ///   - callers: the most that have a bucket of their own.
    public init(burst: Int, perMinute: Double, callers: Int = 100_000) {
        self.callers = callers
        state = Mutex(State(pace: Pace(burst: Double(burst), perSecond: perMinute / 60)))
    }

    /// Goes on with another limit of the same form. Turns that were spent stay spent.
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

    /// A limit as operators write it: that many at once, and in the long run that many a minute.
    /// - Returns: nil for 0, which means no limit.
    public convenience init?(_ perMinute: Int) {
        guard perMinute > 0 else { return nil }
        self.init(burst: perMinute, perMinute: Double(perMinute))
    }

    /// Takes a turn for a caller.
    /// - Returns: nil if it may go ahead; otherwise how long it has to wait, in whole seconds, at least one.
    public func wait(for caller: String, at now: ContinuousClock.Instant = RateLimit.present) -> Int? {
        change(caller, at: now) { bucket, pace in
            if let seconds = pace.wait(for: bucket) { return seconds }
            bucket.tokens -= 1
            return nil
        }
    }

    /// Takes a turn for one of several callers with the same name, such as the devices behind one address. Those that
    /// find none are told to come one after another, as turns become available: if they all came at once, all but one
    /// would come in vain.
    /// - Returns: nil if it may go ahead; otherwise after how many seconds to ask again, at least one.
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

    /// Takes a turn for a caller who waits for it: callers with the same name get theirs one after another, however
    /// many ask.
    /// - Returns: how long it is until then; nil if that is longer than `patience`, and then no turn is taken.
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

    /// Says what `wait` would, and takes no turn.
    public func waitAhead(of caller: String, at now: ContinuousClock.Instant = RateLimit.present) -> Int? {
        change(caller, at: now) { bucket, pace in pace.wait(for: bucket) }
    }

    /// Gives a turn back that was not to be counted.
    public func giveBack(to caller: String, at now: ContinuousClock.Instant = RateLimit.present) {
        change(caller, at: now) { bucket, pace in bucket.tokens = min(pace.burst, bucket.tokens + 1) }
    }

    private func change<Result>(
        _ caller: String, at now: ContinuousClock.Instant, _ body: (inout Bucket, Pace) -> Result
    ) -> Result {
        let key = ExactText(caller).hashValue
        // Only differs between processes: who chooses names can't choose whose bucket they share.
        let place = Int(UInt(bitPattern: key) % UInt(Self.sharedBuckets))
        return state.withLock { state in
            let pace = state.pace
            if let known = state.own[key] {
                var bucket = pace.refilled(known, at: now)
                defer { state.own[key] = bucket }
                return body(&bucket, pace)
            }
            // What was spent in a shared bucket stays spent where there is room for a bucket of one's own again.
            var bucket = pace.refilled(state.shared[place] ?? Bucket(tokens: pace.burst, at: now), at: now)
            defer {
                if hasRoom(&state, at: now) { state.own[key] = bucket } else { state.shared[place] = bucket }
            }
            return body(&bucket, pace)
        }
    }

    /// Whether there is room for another bucket, once full ones are forgotten: at most once a second, because it takes
    /// a while.
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
