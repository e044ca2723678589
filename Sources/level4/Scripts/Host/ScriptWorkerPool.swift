import Dispatch
import Platform
import Synchronization

/// Workers that share calls: as many that answer as there should be, and spare ones for those that a script holds up.
final class ScriptWorkerPool: Sendable {
    /// What a lane hears of, with the worker it is of.
    typealias Heard = @Sendable (ScriptWorker.Event, ScriptWorker?) -> Void

    private struct State {
        var workers: [Int: ScriptWorker] = [:]
        var nextWorker = 1
        /// How many are to answer.
        var size: Int
        var isClosed = false
        /// Why the worker ended that ended last.
        var lastEnd: String?
        /// How many have ended one after the other before they had read the scripts.
        var failures = 0
        /// No worker is begun before that.
        var pausedUntil = ContinuousClock.now
        /// When a call came.
        var usedAt = ContinuousClock.now
    }

    private let state: Mutex<State>
    private let restsAfter: Duration?
    private let make: @Sendable (@escaping @Sendable (ScriptWorker.Event) -> Void) -> ScriptWorker
    private let heard = Mutex<Heard?>(nil)

    /// - Parameters:
    ///   - size: how many workers there are to be, at first.
    ///   - restsAfter: without calls for so long it has no workers; nil where it always has some.
    ///   - make: begins a worker.
    init(
        size: Int, restsAfter: Duration? = nil,
        _ make: @escaping @Sendable (@escaping @Sendable (ScriptWorker.Event) -> Void) -> ScriptWorker
    ) {
        state = Mutex(State(size: size))
        self.restsAfter = restsAfter
        self.make = make
    }

    /// Begins its first workers.
    /// - Parameter heard: takes what becomes of them.
    func begin(_ heard: @escaping Heard) {
        self.heard.withLock { $0 = heard }
        fill()
    }

    /// Why a worker ended last.
    var lastEnd: String? { state.withLock { $0.lastEnd } }

    /// Whether workers end one after the other before they have read the scripts.
    var isFailing: Bool { state.withLock { $0.failures >= 3 } }

    /// Whether there are no workers and will be none.
    var isOver: Bool { state.withLock { $0.isClosed && $0.workers.isEmpty } }

    /// Changes how many workers are to answer.
    func resize(to size: Int) {
        state.withLock { state in
            state.size = size
            state.usedAt = .now
        }
        fill()
    }

    /// Takes no further call; those under way go on.
    func close() {
        let workers = state.withLock { state in
            state.isClosed = true
            return Array(state.workers.values)
        }
        for worker in workers { worker.retire() }
    }

    /// Takes no further call, and ends all workers at once.
    func end(because reason: String) {
        close()
        for worker in state.withLock({ Array($0.workers.values) }) { worker.end(because: reason) }
    }

    /// For how long a worker that is yet to read the scripts has had a processor.
    var readingTime: Duration {
        state.withLock { Array($0.workers.values) }.compactMap(\.readingTime).max() ?? .zero
    }

    /// The file that a worker is reading; nil where none is.
    var unread: String? { state.withLock { Array($0.workers.values) }.compactMap(\.unread).first }

    /// The worker that has least to do, but for those that are stuck; nil where none takes calls.
    func freeWorker() -> ScriptWorker? {
        let workers = state.withLock { state in
            state.usedAt = .now
            return Array(state.workers.values)
        }
        let loads = workers.compactMap { worker in worker.load.map { (worker, worker.isSilent, $0) } }
        return loads.min { first, second in first.1 == second.1 ? first.2 < second.2 : !first.1 }?.0
    }

    /// Whether it takes no calls any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Looks after the workers, several times a second: who is stuck gives its calls to others, and has a spare one.
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
                // So that many who loop take no more than so many workers, each of them has less time.
                worker.endStuck()
            }
        } else {
            // Of those that have read the scripts: what is in the files by now may be unreadable.
            let ready = workers.count { worker in worker.load != nil && !stuck.contains { $0.0 === worker } }
            if ready > size || isResting, let idle = workers.last(where: { $0.load == 0 }) { idle.retire() }
        }
        if isResting { state.withLock { if $0.workers.isEmpty { $0.size = 0 } } }
    }

    /// Begins as many workers as are missing.
    /// - Parameter able: how many there are that answer; nil for all that are there.
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
                // One that can't even read its scripts is not begun again and again without a pause.
                let pause = state.failures < 3 ? 0 : min(5_000, 50 << min(state.failures, 7))
                state.pausedUntil = .now + .milliseconds(pause)
            }
        }
        heard.withLock { $0 }?(event, worker)
    }

    /// Begins workers in the place of those that are gone.
    func replace() { fill(able: state.withLock { $0.workers.values.count { !$0.isGone } }) }
}
