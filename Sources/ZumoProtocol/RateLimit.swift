import Synchronization

/// Lets each caller do something so often and no oftener: a token bucket for each.
public final class RateLimit: Sendable {
    private let burst: Double
    private let perSecond: Double
    private let callers: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    private struct Bucket {
        var tokens: Double
        var at: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - burst: how often at once.
    ///   - perMinute: how often in the long run.
    ///   - callers: the most that are remembered; beyond it the ones that waited longest are forgotten.
    public init(burst: Int, perMinute: Double, callers: Int = 10_000) {
        self.burst = Double(burst)
        perSecond = perMinute / 60
        self.callers = callers
    }

    /// A limit in the form that operators write: so many at once, and in the long run as many a minute.
    /// - Returns: nil for 0, which means no limit.
    public convenience init?(_ perMinute: Int) {
        guard perMinute > 0 else { return nil }
        self.init(burst: perMinute, perMinute: Double(perMinute))
    }

    /// Takes a turn for a caller.
    /// - Returns: nil where it may go ahead; else how long it has to wait, in whole seconds, at least one.
    public func wait(for caller: String, at now: ContinuousClock.Instant = .now) -> Int? {
        buckets.withLock { buckets in
            var bucket = refilled(buckets[caller], at: now)
            let wait: Int?
            if bucket.tokens >= 1 {
                bucket.tokens -= 1
                wait = nil
            } else {
                wait = max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up)))
            }
            if buckets[caller] == nil, buckets.count >= callers { forget(&buckets, at: now) }
            buckets[caller] = bucket
            return wait
        }
    }

    private func refilled(_ bucket: Bucket?, at now: ContinuousClock.Instant) -> Bucket {
        guard let bucket else { return Bucket(tokens: burst, at: now) }
        let passed = bucket.at.duration(to: now) / .seconds(1)
        return Bucket(tokens: min(burst, bucket.tokens + passed * perSecond), at: now)
    }

    /// Forgets those whose bucket is full again, or else the older half, so that this is seldom done.
    private func forget(_ buckets: inout [String: Bucket], at now: ContinuousClock.Instant) {
        buckets = buckets.filter { refilled($0.value, at: now).tokens < burst }
        guard buckets.count >= callers else { return }
        let times = buckets.values.map(\.at).sorted()
        let middle = times[times.count / 2]
        buckets = buckets.filter { $0.value.at > middle }
    }
}
