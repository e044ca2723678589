import Dispatch
import Platform
import Synchronization

/// Workers that share calls: as many responsive ones as there should be, and spare ones for those blocked by a script.
final class ScriptWorkerPool: Sendable {
    /// Receives the events of workers, with the worker that each is from.
    typealias Heard = @Sendable (ScriptWorker.Event, ScriptWorker?) -> Void

    /// Starts a worker, which serves on for some time where reading leaves an error to nobody.
    typealias Make = @Sendable (_ stays: Duration, @escaping @Sendable (ScriptWorker.Event) -> Void) -> ScriptWorker

    private struct State {
        var schedule: WorkerPoolSchedule
        var workers: [Int: ScriptWorker] = [:]
    }

    private let state: Mutex<State>
    private let make: Make
    private let heard = Mutex<Heard?>(nil)

    /// - Parameters:
    ///   - size: the initial number of workers.
    ///   - restsAfter: the time without calls after which it has no workers; nil to always keep some.
    ///   - make: starts a worker.
    init(size: Int, restsAfter: Duration? = nil, _ make: @escaping Make) {
        state = Mutex(State(schedule: WorkerPoolSchedule(size: size, restsAfter: restsAfter, at: .now)))
        self.make = make
    }

    /// Starts the first workers.
    /// - Parameter heard: receives the events of workers.
    func begin(_ heard: @escaping Heard) {
        self.heard.withLock { $0 = heard }
        change { $0.fill(at: .now) }
    }

    private var workers: [Int: ScriptWorker] { state.withLock { $0.workers } }

    /// What is decided by now.
    var schedule: WorkerPoolSchedule { state.withLock { $0.schedule } }

    /// Why a worker is to be ended because it reads the scripts for longer than it may; nil if none does.
    var endlessReading: String? { workers.values.compactMap(\.endlessReading).first }

    /// The file that a worker is currently reading; nil if none is.
    var unread: String? { workers.values.compactMap(\.unread).first }

    /// The number of workers that accept calls.
    var servingCount: Int { workers.values.count { $0.condition.load != nil } }

    /// Changes the desired number of responsive workers.
    func resize(to size: Int) { change { $0.resize(to: size, at: .now) } }

    /// Accepts no more calls; those in progress continue. Workers that are still reading end at once.
    func close() {
        state.withLock { $0.schedule.close() }
        for worker in workers.values { worker.retire() }
    }

    /// Accepts no more calls, and ends all workers at once.
    func end(because reason: String) {
        close()
        for worker in workers.values { worker.end(because: reason) }
    }

    /// Returns the least busy worker that isn't stuck; nil if none accepts calls.
    func freeWorker() -> ScriptWorker? {
        let workers = workers
        let conditions = workers.mapValues(\.condition)
        return state.withLock { $0.schedule.free(among: conditions, at: .now) }.flatMap { workers[$0] }
    }

    /// Checks the workers, several times a second: a stuck one gives its calls to others and gets a replacement.
    func look() {
        let workers = workers
        for worker in workers.values { worker.look() }
        for number in WorkerPoolSchedule.silent(among: workers.mapValues(\.condition)) { workers[number]?.giveAway() }
        let conditions = workers.mapValues(\.condition)
        change { $0.look(at: conditions, at: .now) }
    }

    /// Starts workers in place of those that are gone.
    func replace() {
        let able = workers.values.count { !$0.condition.isGone }
        change { $0.fill(able: able, at: .now) }
    }

    private func change(_ decide: (inout WorkerPoolSchedule) -> [WorkerPoolSchedule.Action]) {
        for action in state.withLock({ decide(&$0.schedule) }) {
            switch action {
            case .begin(let number): add(number)
            case .endStuck(let number): workers[number]?.endStuck()
            case .retire(let number): workers[number]?.retire()
            }
        }
    }

    private func add(_ number: Int) {
        guard state.withLock({ $0.schedule.mayBegin(number) }) else { return }
        let stays = state.withLock { $0.schedule.stay }
        let worker = make(stays) { [weak self] event in self?.take(event, of: number) }
        let isUnwanted = state.withLock { state in
            // It may have ended by now.
            if state.schedule.has(number) { state.workers[number] = worker }
            return state.schedule.isClosed
        }
        if isUnwanted { worker.end(because: "the server stops") }
    }

    private func take(_ event: ScriptWorker.Event, of number: Int) {
        let (worker, words) = state.withLock { state in
            let words = state.schedule.take(event, of: number, at: .now)
            defer { if !state.schedule.has(number) { state.workers[number] = nil } }
            return (state.workers[number], words)
        }
        let heard = heard.withLock { $0 }
        if let words { heard?(.line(ScriptLogLine(level: .error, text: words, call: nil)), worker) }
        heard?(event, worker)
    }
}
