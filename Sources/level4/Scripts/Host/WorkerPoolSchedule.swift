/// Decides how many workers there are, which of them takes a call, and which is started or let go: the decisions of a
/// `ScriptWorkerPool`, without its workers and its clock.
struct WorkerPoolSchedule: Sendable {
    enum Action: Equatable {
        case begin(Int)
        case endStuck(Int)
        case retire(Int)
    }

    /// The state of each worker.
    typealias Conditions = [Int: ScriptWorker.Condition]

    private let restsAfter: Duration?
    /// The desired number of responsive workers.
    private var size: Int
    private var workers: Set<Int> = []
    private var nextWorker = 1
    private(set) var isClosed = false
    /// Why the last worker ended.
    private(set) var lastEnd: String?
    /// The number of consecutive workers that ended before they had read the scripts.
    private var failures = 0
    /// No worker is started before this time.
    private var pausedUntil: ContinuousClock.Instant
    /// The time of the last call.
    private var usedAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - size: the initial number of workers.
    ///   - restsAfter: the time without calls after which it has no workers; nil if it always has some.
    init(size: Int, restsAfter: Duration?, at now: ContinuousClock.Instant) {
        (self.size, self.restsAfter) = (size, restsAfter)
        (pausedUntil, usedAt) = (now, now)
    }

    /// Whether worker after worker ends before it has read the scripts.
    var isFailing: Bool { failures >= 3 }

    /// Whether there are no workers, and won't be any.
    var isOver: Bool { isClosed && workers.isEmpty }

    func has(_ number: Int) -> Bool { workers.contains(number) }

    /// Changes the desired number of responsive workers.
    mutating func resize(to size: Int, at now: ContinuousClock.Instant) -> [Action] {
        (self.size, usedAt) = (size, now)
        return fill(at: now)
    }

    /// Stops starting workers.
    mutating func close() { isClosed = true }

    /// Returns whether a worker that was decided on may still be started: the pool may have closed meanwhile.
    mutating func mayBegin(_ number: Int) -> Bool {
        if isClosed { workers.remove(number) }
        return !isClosed
    }

    /// Returns the least busy worker that isn't stuck; nil if none accepts calls.
    mutating func free(among conditions: Conditions, at now: ContinuousClock.Instant) -> Int? {
        usedAt = now
        let loads = conditions.compactMap { number, worker in worker.load.map { (worker.isSilent ? 1 : 0, $0, number) }
        }
        return loads.min(by: <)?.2
    }

    /// Returns the workers whose calls others should take, if any other responds.
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

    /// Starts as many workers as are missing.
    /// - Parameter able: the number of responsive workers; nil to count all of them.
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

    /// Records what happened to a worker.
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

    /// Whether the invariants hold that are true between calls. A pool that is made smaller has more workers for a
    /// while.
    private var isSound: Bool { workers.allSatisfy { $0 < nextWorker } && failures >= 0 && size >= 0 }
}
