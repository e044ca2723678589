/// How many workers there are, and which of them takes a call, is begun or goes: the decisions of a `ScriptWorkerPool`,
/// without its workers and its clock.
struct WorkerPoolSchedule: Sendable {
    enum Action: Equatable {
        case begin(Int)
        case endStuck(Int)
        case retire(Int)
    }

    /// Workers with how they are, in no order.
    typealias Conditions = [Int: ScriptWorker.Condition]

    private let restsAfter: Duration?
    /// How many are to answer.
    private var size: Int
    private var workers: Set<Int> = []
    private var nextWorker = 1
    private(set) var isClosed = false
    /// Why the worker ended that ended last.
    private(set) var lastEnd: String?
    /// How many have ended one after the other before they had read the scripts.
    private var failures = 0
    /// No worker is begun before that.
    private var pausedUntil: ContinuousClock.Instant
    /// When a call came.
    private var usedAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - size: how many workers there are to be, at first.
    ///   - restsAfter: without calls for so long it has no workers; nil where it always has some.
    init(size: Int, restsAfter: Duration?, at now: ContinuousClock.Instant) {
        (self.size, self.restsAfter) = (size, restsAfter)
        (pausedUntil, usedAt) = (now, now)
    }

    /// Whether workers end one after the other before they have read the scripts.
    var isFailing: Bool { failures >= 3 }

    /// Whether there are no workers and will be none.
    var isOver: Bool { isClosed && workers.isEmpty }

    func has(_ number: Int) -> Bool { workers.contains(number) }

    /// Changes how many workers are to answer.
    mutating func resize(to size: Int, at now: ContinuousClock.Instant) -> [Action] {
        (self.size, usedAt) = (size, now)
        return fill(at: now)
    }

    /// Begins no worker any more.
    mutating func close() { isClosed = true }

    /// The worker that has least to do, but for those that are stuck; nil where none takes calls.
    mutating func free(among conditions: Conditions, at now: ContinuousClock.Instant) -> Int? {
        usedAt = now
        let loads = conditions.compactMap { number, worker in worker.load.map { (worker.isSilent ? 1 : 0, $0, number) }
        }
        return loads.min(by: <)?.2
    }

    /// Those that give their calls to others, as others answer.
    static func silent(among conditions: Conditions) -> [Int] {
        guard conditions.values.contains(where: { $0.load != nil && !$0.isSilent }) else { return [] }
        return conditions.keys.filter { conditions[$0]?.isSilent == true }.sorted()
    }

    /// Decides whether there are too few workers or too many, several times a second.
    mutating func look(at conditions: Conditions, at now: ContinuousClock.Instant) -> [Action] {
        defer { assert(isSound) }
        let isResting = restsAfter.map { now - usedAt > $0 } ?? false
        let wanted = isResting ? 0 : size
        if isResting, workers.isEmpty { size = 0 }
        let answering = conditions.filter { $0.value.stuckFor == nil }
        let able = answering.values.count { !$0.isGone }
        if able < wanted {
            if workers.count < 2 * wanted { return fill(able: able, at: now) }
            // So that many who loop take no more than so many workers, each of them has less time.
            let looping = conditions.filter { $0.value.isLooping }
            let longest = looping.max { $0.value.stuckFor ?? .zero < $1.value.stuckFor ?? .zero }
            return longest.map { [.endStuck($0.key)] } ?? []
        }
        // Of those that have read the scripts: what is in the files by now may be unreadable.
        guard answering.values.count(where: { $0.load != nil }) > wanted || isResting else { return [] }
        return conditions.filter { $0.value.load == 0 }.keys.max().map { [.retire($0)] } ?? []
    }

    /// Begins as many workers as are missing.
    /// - Parameter able: how many there are that answer; nil for all that are there.
    mutating func fill(able: Int? = nil, at now: ContinuousClock.Instant) -> [Action] {
        guard !isClosed, now >= pausedUntil else { return [] }
        defer { assert(isSound) }
        let missing = min(size - (able ?? workers.count), 2 * size - workers.count)
        return (0..<max(0, missing)).map { _ in
            workers.insert(nextWorker)
            nextWorker += 1
            return .begin(nextWorker - 1)
        }
    }

    /// Takes note of what became of a worker.
    mutating func take(_ event: ScriptWorker.Event, of number: Int, at now: ContinuousClock.Instant) {
        switch event {
        case .loaded: failures = 0
        case .line, .leaving: break
        case .ended(let reason, let isExpected):
            let isKnown = workers.remove(number) != nil
            assert(isKnown, "a worker ends once")
            guard !isExpected else { return }
            lastEnd = reason
            failures += 1
            // One that can't even read its scripts is not begun again and again without a pause.
            let pause = failures < 3 ? 0 : min(5_000, 50 << min(failures, 7))
            pausedUntil = now + .milliseconds(pause)
        }
    }

    /// What is true between any two calls. One that is made smaller has more workers for a while.
    private var isSound: Bool { workers.allSatisfy { $0 < nextWorker } && failures >= 0 && size >= 0 }
}
