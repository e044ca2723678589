import Access
import ByteText
import Synchronization

/// How often an address may guess a key. So many wrong ones are answered at once; from then on its requests with keys, be
/// they right or wrong, get their turns one after the other, however many connections they come by: an answer at once would
/// tell the right one from all others. Where too many wait already, a key isn't looked at.
///
/// The right one still counts, since whoever else shares the address, as all do behind a proxy that nobody trusts, must not
/// keep the operator out for good.
public final class KeyAttempts: Sendable {
    /// Keys of operators, each wrong one of which counts.
    private let master = RateLimit(burst: 100, perMinute: 120)
    /// Keys of apps, which all users of an address share: those who have the right one get on beside a guesser.
    private let application = RateLimit(burst: 100, perMinute: 600)
    /// Wrong keys of apps, by their hashes, as far as they are remembered. An old app goes on sending its own, and to send one
    /// again is no guess.
    private let known = Mutex<Set<Int>>([])
    /// How many of such an old app's are reported.
    private let reports = RateLimit(burst: 100, perMinute: 30)
    /// Until when some address may have no turns left. Requests with keys are many, and hardly ever is there a guesser.
    private let busyUntil = Mutex<ContinuousClock.Instant?>(nil)
    private let isCalm = Atomic(true)

    /// How long a request waits for its turn at most.
    static let patience = Duration.seconds(10)
    private static let mostKnown = 10_000
    /// After which an address has turns again, whatever it had spent.
    private static let recovery = Duration.seconds(120)

    /// None yet.
    public init() {}

    /// Counts a wrong key.
    /// - Returns: nil where it is told so; else how long the address has to wait, in seconds.
    func fail(_ kind: AccessFailure.Kind, _ key: String?, from address: String) -> Int? {
        if kind == .applicationKey, let key, !learn(key) { return reports.wait(for: address) }
        guard let seconds = limit(kind).wait(for: address) else { return nil }
        busyUntil.withLock { $0 = RateLimit.present + Self.recovery }
        isCalm.store(false, ordering: .releasing)
        return seconds
    }

    /// Whether no address has to wait.
    var areCalm: Bool { isCalm.load(ordering: .acquiring) }

    /// Waits until it is an address's turn to show a key.
    /// - Parameter isRight: looks at the key, when its turn has come; a right one takes none.
    /// - Returns: nil where it has come; else how long the address has to wait, in seconds.
    func waitForTurn(
        _ kind: AccessFailure.Kind, _ key: String, from address: String, isRight: () -> Bool
    ) async -> Int? {
        let isOver = busyUntil.withLock { until in
            guard let end = until, RateLimit.present > end else { return false }
            until = nil
            isCalm.store(true, ordering: .releasing)
            return true
        }
        let limit = limit(kind)
        guard !isOver, let seconds = limit.waitAhead(of: address) else { return nil }
        if kind == .applicationKey, isKnown(key) { return nil }
        guard let wait = limit.reserve(for: address, within: Self.patience) else { return max(1, seconds) }
        // Where nobody waits for the answer any more, nobody is told how it was.
        do { try await Task.sleep(for: wait) } catch { return max(1, seconds) }
        if isRight() { limit.giveBack(to: address) }
        return nil
    }

    private func limit(_ kind: AccessFailure.Kind) -> RateLimit { kind == .applicationKey ? application : master }

    private func isKnown(_ key: String) -> Bool {
        let hash = ExactText(key).hashValue
        return known.withLock { $0.contains(hash) }
    }

    /// Whether a wrong key is a new one.
    private func learn(_ key: String) -> Bool {
        let hash = ExactText(key).hashValue
        return known.withLock { known in
            if known.count >= Self.mostKnown, !known.contains(hash), let any = known.first { known.remove(any) }
            return known.insert(hash).inserted
        }
    }
}
