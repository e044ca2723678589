import Access
import ByteText
import HTTPModel
import Synchronization

/// Limits how often an address may guess a key. The first wrong ones are answered at once; after that, the address's
/// requests with keys, right or wrong, are handled one after another, across all its connections: an immediate answer
/// would reveal the right one. If too many are already waiting, a key isn't checked.
///
/// The right key still works, because someone who shares the address, as everyone does behind an untrusted proxy, must
/// not be able to lock the operator out.
public final class KeyAttempts: Sendable {
    /// The master key, for which every wrong attempt counts.
    private let master = RateLimit(burst: 100, perMinute: 120)
    /// The same for all addresses reported by a proxy that no operator has named: it may pass on a forged address, a
    /// different one with each guess.
    private let passedOn = RateLimit(burst: 1_000, perMinute: 1_200)
    /// The application key, which all users of an address share: those with the right one can continue beside a
    /// guesser.
    private let application = RateLimit(burst: 100, perMinute: 600)
    /// Hashes of remembered wrong application keys. An old app keeps sending its own, and repeating one is not a
    /// guess.
    private let known = Mutex<Set<Int>>([])
    /// Limits how many failures of such an old app are reported.
    private let reports = RateLimit(burst: 100, perMinute: 30)
    /// Until when some address may have no turns left. Requests with keys are frequent, guessers rare.
    private let busyUntil = Mutex<ContinuousClock.Instant?>(nil)
    private let isCalm = Atomic(true)

    /// The maximum time that a request waits for its turn.
    static let patience = Duration.seconds(10)
    private static let mostKnown = 10_000
    /// The time after which every address has turns again.
    private static let recovery = Duration.seconds(120)

    /// Creates an empty count.
    public init() {}

    /// Counts a wrong key.
    /// - Returns: nil if the key may be answered as wrong; otherwise how many seconds the address has to wait.
    func fail(_ kind: AccessFailure.Kind, _ key: String?, from caller: KeyPresenter) -> Int? {
        if kind == .applicationKey, let key, !learn(key) { return reports.wait(for: caller.address) }
        guard let seconds = limits(kind, caller).compactMap({ $0.limit.wait(for: $0.name) }).max() else { return nil }
        busyUntil.withLock { $0 = RateLimit.present + Self.recovery }
        isCalm.store(false, ordering: .releasing)
        return seconds
    }

    /// Whether no address currently has to wait.
    var areCalm: Bool { isCalm.load(ordering: .acquiring) }

    /// Waits for an address's turn to show a key.
    /// - Parameter isRight: checks the key at its turn; a right one uses up no turn.
    /// - Returns: nil once it is the address's turn; otherwise how many seconds it has to wait.
    func waitForTurn(
        _ kind: AccessFailure.Kind, _ key: String, from caller: KeyPresenter, isRight: () -> Bool
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
            // Once the request was cancelled, no one is told the result.
            do { try await Task.sleep(for: wait) } catch { return max(1, seconds) }
            if isRight() { limit.giveBack(to: name) }
        }
        return nil
    }

    /// Returns the limits that count a key, with the names to count it under. All users of an app send its key, so app
    /// keys that a proxy passes on aren't counted as the proxy's: one person's guesses would block everyone.
    private func limits(_ kind: AccessFailure.Kind, _ caller: KeyPresenter) -> [(limit: RateLimit, name: String)] {
        if kind == .applicationKey { return [(application, caller.address)] }
        return [(master, caller.address)] + (caller.proxy.map { [(passedOn, $0)] } ?? [])
    }

    private func isKnown(_ key: String) -> Bool {
        let hash = ExactText(key).hashValue
        return known.withLock { $0.contains(hash) }
    }

    /// Returns whether a wrong key is new, and remembers it.
    private func learn(_ key: String) -> Bool {
        let hash = ExactText(key).hashValue
        return known.withLock { known in
            if known.count >= Self.mostKnown, !known.contains(hash), let any = known.first { known.remove(any) }
            return known.insert(hash).inserted
        }
    }
}

/// Who presents a key.
struct KeyPresenter {
    let address: String
    /// The proxy that reported the address, if none was named.
    let proxy: String?

    init(_ request: HTTPRequest, trusting proxies: TrustedProxies) {
        address = ClientAddress.limited(request, trusting: proxies)
        let isProxys = !proxies.areNamed && ClientAddress.of(request, trusting: proxies) != request.peer
        proxy = isProxys ? request.peer : nil
    }
}
