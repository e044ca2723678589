import Access
import ByteText
import HTTPModel
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
    /// The same by whatever addresses a proxy tells that no operator has named: it may pass on what its clients say of
    /// themselves, another address with each guess.
    private let passedOn = RateLimit(burst: 1_000, perMinute: 1_200)
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
    func fail(_ kind: AccessFailure.Kind, _ key: String?, from caller: KeyShower) -> Int? {
        if kind == .applicationKey, let key, !learn(key) { return reports.wait(for: caller.address) }
        guard let seconds = limits(kind, caller).compactMap({ $0.limit.wait(for: $0.name) }).max() else { return nil }
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
        _ kind: AccessFailure.Kind, _ key: String, from caller: KeyShower, isRight: () -> Bool
    ) async -> Int? {
        let isOver = busyUntil.withLock { until in
            guard let end = until, RateLimit.present > end else { return false }
            until = nil
            isCalm.store(true, ordering: .releasing)
            return true
        }
        if isOver { return nil }
        for (limit, name) in limits(kind, caller) {
            guard let seconds = limit.waitAhead(of: name) else { continue }
            if kind == .applicationKey, isKnown(key) { return nil }
            guard let wait = limit.reserve(for: name, within: Self.patience) else { return max(1, seconds) }
            // Where nobody waits for the answer any more, nobody is told how it was.
            do { try await Task.sleep(for: wait) } catch { return max(1, seconds) }
            if isRight() { limit.giveBack(to: name) }
        }
        return nil
    }

    /// What counts a key, and by which name. All users of an app show its key, so that what is passed on counts no such:
    /// one guesser would hold up all.
    private func limits(_ kind: AccessFailure.Kind, _ caller: KeyShower) -> [(limit: RateLimit, name: String)] {
        if kind == .applicationKey { return [(application, caller.address)] }
        return [(master, caller.address)] + (caller.proxy.map { [(passedOn, $0)] } ?? [])
    }

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

/// Who shows a key.
struct KeyShower {
    let address: String
    /// The proxy that says so, where none was named.
    let proxy: String?

    init(_ request: HTTPRequest, trusting proxies: TrustedProxies) {
        address = ClientAddress.limited(request, trusting: proxies)
        let isProxys = !proxies.areNamed && ClientAddress.of(request, trusting: proxies) != request.peer
        proxy = isProxys ? request.peer : nil
    }
}
