import Dispatch
import Platform
import Synchronization

/// Workers that share calls: as many responsive ones as there should be, and spare ones for those blocked by a script.
final class ScriptWorkerPool: Sendable {
    /// Receives the events of workers, with the worker that each is from.
    typealias Heard = @Sendable (ScriptWorker.Event, ScriptWorker?) -> Void

    private struct State {
        var workers: [Int: ScriptWorker] = [:]
        var nextWorker = 1
        /// The desired number of responsive workers.
        var size: Int
        var isClosed = false
        /// Why the last worker ended.
        var lastEnd: String?
        /// How many workers in a row ended before they had read the scripts.
        var failures = 0
        /// The time before which no worker is started.
        var pausedUntil = ContinuousClock.now
        /// The time of the last call.
        var usedAt = ContinuousClock.now
    }

    private let state: Mutex<State>
    private let restsAfter: Duration?
    private let make: @Sendable (@escaping @Sendable (ScriptWorker.Event) -> Void) -> ScriptWorker
    private let heard = Mutex<Heard?>(nil)

    /// - Parameters:
    ///   - size: the initial number of workers.
    ///   - restsAfter: the time without calls after which it has no workers; nil to always keep some.
    ///   - make: starts a worker.
    init(
        size: Int, restsAfter: Duration? = nil,
        _ make: @escaping @Sendable (@escaping @Sendable (ScriptWorker.Event) -> Void) -> ScriptWorker
    ) {
        state = Mutex(State(size: size))
        self.restsAfter = restsAfter
        self.make = make
    }

    /// Starts the first workers.
    /// - Parameter heard: receives the events of workers.
    func begin(_ heard: @escaping Heard) {
        self.heard.withLock { $0 = heard }
        fill()
    }

    /// Why the last worker ended.
    var lastEnd: String? { state.withLock { $0.lastEnd } }

    /// Whether several workers in a row ended before they had read the scripts.
    var isFailing: Bool { state.withLock { $0.failures >= 3 } }

    /// Whether there are no workers and there will be none.
    var isOver: Bool { state.withLock { $0.isClosed && $0.workers.isEmpty } }

    /// Changes the desired number of responsive workers.
    func resize(to size: Int) {
        state.withLock { state in
            state.size = size
            state.usedAt = .now
        }
        fill()
    }

    /// Accepts no more calls; those in progress continue.
    func close() {
        let workers = state.withLock { state in
            state.isClosed = true
            return Array(state.workers.values)
        }
        for worker in workers { worker.retire() }
    }

    /// Accepts no more calls, and ends all workers at once.
    func end(because reason: String) {
        close()
        for worker in state.withLock({ Array($0.workers.values) }) { worker.end(because: reason) }
    }

    /// The longest processor time that a worker has spent reading the scripts so far.
    var readingTime: Duration {
        state.withLock { Array($0.workers.values) }.compactMap(\.readingTime).max() ?? .zero
    }

    /// The file that a worker is currently reading; nil if none is.
    var unread: String? { state.withLock { Array($0.workers.values) }.compactMap(\.unread).first }

    /// Returns the least busy worker that isn't stuck; nil if none accepts calls.
    func freeWorker() -> ScriptWorker? {
        let workers = state.withLock { state in
            state.usedAt = .now
            return Array(state.workers.values)
        }
        let loads = workers.compactMap { worker in worker.load.map { (worker, worker.isSilent, $0) } }
        return loads.min { first, second in first.1 == second.1 ? first.2 < second.2 : !first.1 }?.0
    }

    /// Whether it has stopped accepting calls.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Checks the workers, several times a second: a stuck one gives its calls to others and gets a replacement.
    func look() {
        let workers = state.withLock { Array($0.workers.values) }
        for worker in workers { worker.look() }
        let stuck = workers.compactMap { worker in worker.stuckFor.map { (worker, $0) } }
        if workers.contains(where: { $0.load != nil && !$0.isSilent }) {
            for worker in workers where worker.isSilent { worker.giveAway() }
        }
        let able = workers.count { worker in !worker.isGone && !stuck.contains { $0.0 === worker } }
        let (size, isResting) = state.withLock { state in
            let isResting = restsAfter.map { .now - state.usedAt > $0 } ?? false
            return (isResting ? 0 : state.size, isResting)
        }
        if able < size {
            if workers.count < 2 * size {
                fill(able: able)
            } else if let (worker, _) = stuck.filter({ $0.0.isLooping }).max(by: { $0.1 < $1.1 }) {
                // The more workers loop, the less time each of them has, so that their number stays limited.
                worker.endStuck()
            }
        } else {
            // Only workers that have read the scripts: the files may have become unreadable since.
            let ready = workers.count { worker in worker.load != nil && !stuck.contains { $0.0 === worker } }
            if ready > size || isResting, let idle = workers.last(where: { $0.load == 0 }) { idle.retire() }
        }
        if isResting { state.withLock { if $0.workers.isEmpty { $0.size = 0 } } }
    }

    /// Starts as many workers as are missing.
    /// - Parameter able: the number of responsive workers; nil to count all of them.
    private func fill(able: Int? = nil) {
        let missing = state.withLock { state -> Int in
            guard !state.isClosed, .now >= state.pausedUntil else { return 0 }
            return min(state.size - (able ?? state.workers.count), 2 * state.size - state.workers.count)
        }
        for _ in 0..<max(0, missing) { add() }
    }

    private func add() {
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            defer { state.nextWorker += 1 }
            return state.nextWorker
        }
        guard let number else { return }
        let worker = make { [weak self] event in self?.take(event, of: number) }
        let isUnwanted = state.withLock { state in
            state.workers[number] = worker
            return state.isClosed
        }
        if isUnwanted { worker.end(because: "the server stops") }
    }

    private func take(_ event: ScriptWorker.Event, of number: Int) {
        let worker = state.withLock { state in
            if case .loaded = event { state.failures = 0 }
            return state.workers[number]
        }
        if case .ended(let reason, let isExpected) = event {
            state.withLock { state in
                state.workers.removeValue(forKey: number)
                guard !isExpected else { return }
                state.lastEnd = reason
                state.failures += 1
                // A worker that can't even read its scripts isn't restarted over and over without a pause.
                let pause = state.failures < 3 ? 0 : min(5_000, 50 << min(state.failures, 7))
                state.pausedUntil = .now + .milliseconds(pause)
            }
        }
        heard.withLock { $0 }?(event, worker)
    }

    /// Starts workers in place of those that are gone.
    func replace() { fill(able: state.withLock { $0.workers.values.count { !$0.isGone } }) }
}
