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

    /// A worker that has not ended.
    private struct Worker {
        /// When it had read the scripts.
        var readAt: ContinuousClock.Instant?
        /// Whether it was seen to take calls.
        var hasServed = false
        /// Whether it leaves for an error of reading, and counts among the failures.
        var hasFailed = false
    }

    private let restsAfter: Duration?
    /// The desired number of responsive workers.
    private var size: Int
    private var workers: [Int: Worker] = [:]
    private var nextWorker = 1
    private(set) var isClosed = false
    /// Why the last worker ended.
    private(set) var lastEnd: String?
    /// The file that the last worker was reading when it ended; nil if it wasn't.
    private(set) var lastFile: String?
    /// The number of consecutive workers that ended before they had read the scripts, or soon after, for no call's sake.
    private var failures = 0
    /// When the last of them did.
    private var failedAt: ContinuousClock.Instant
    /// How many of them took no calls, since one last did.
    private var unserved = 0
    /// What was last said of workers that fail.
    private var told: String?
    /// No worker is started before this time.
    private var pausedUntil: ContinuousClock.Instant
    /// The time of the last call.
    private var usedAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - size: the initial number of workers.
    ///   - restsAfter: the time without calls after which it has no workers; nil if it always has some.
    init(size: Int, restsAfter: Duration?, at now: ContinuousClock.Instant) {
        (self.size, self.restsAfter) = (size, restsAfter)
        (pausedUntil, usedAt, failedAt) = (now, now, now)
    }

    /// The number of failures from which on there are pauses.
    private static let patience = 3
    /// How long a worker has to live after reading for others to be begun without a pause again.
    static let settling = Duration.seconds(10)
    /// The pause after a worker that was ended because it read for too long, as others would take the processor too.
    static let endlessPause = Duration.seconds(30)

    /// Whether worker after worker ends before it takes calls.
    var isFailing: Bool { unserved >= Self.patience && workers.values.allSatisfy { $0.readAt == nil } }

    /// Why workers fail; nil if they don't.
    var trouble: String? { failures > 0 ? lastEnd : nil }

    /// How long a worker that is begun now serves on where reading leaves an error to nobody.
    var stay: Duration { pause }

    private var pause: Duration {
        failures < Self.patience ? .zero : .milliseconds(min(5_000, 50 << min(failures, 7)))
    }

    /// Whether there are no workers, and won't be any.
    var isOver: Bool { isClosed && workers.isEmpty }

    func has(_ number: Int) -> Bool { workers[number] != nil }

    /// Changes the desired number of responsive workers.
    mutating func resize(to size: Int, at now: ContinuousClock.Instant) -> [Action] {
        (self.size, usedAt) = (size, now)
        return fill(at: now)
    }

    /// Stops starting workers.
    mutating func close() { isClosed = true }

    /// Returns whether a worker that was decided on may still be started: the pool may have closed meanwhile.
    mutating func mayBegin(_ number: Int) -> Bool {
        if isClosed { workers[number] = nil }
        return !isClosed
    }

    /// Returns the least busy worker that isn't stuck; nil if none accepts calls.
    mutating func free(among conditions: Conditions, at now: ContinuousClock.Instant) -> Int? {
        usedAt = now
        if unserved > 0 { noteServing(conditions) }
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
        noteServing(conditions)
        if failures > 0, hasSettled(at: now) { (failures, unserved, told) = (0, 0, nil) }
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
            workers[nextWorker] = Worker()
            nextWorker += 1
            return .begin(nextWorker - 1)
        }
    }

    /// Records which workers take calls.
    private mutating func noteServing(_ conditions: Conditions) {
        for (number, condition) in conditions where condition.load != nil {
            workers[number]?.hasServed = true
            unserved = 0
        }
    }

    /// Records what happened to a worker.
    /// - Returns: what is to be said of it in the log.
    @discardableResult
    mutating func take(_ event: ScriptWorker.Event, of number: Int, at now: ContinuousClock.Instant) -> String? {
        switch event {
        case .loaded: workers[number]?.readAt = now
        case .line: break
        case .leaving:
            // Another takes its place by now, so it counts by now. One that has stayed for a while needs no pause.
            guard isNew(workers[number], at: now) else { break }
            workers[number]?.hasFailed = true
            (failures, failedAt) = (failures + 1, now)
        case .ended(let reason, let isExpected, let stage):
            let worker = workers.removeValue(forKey: number)
            assert(worker != nil, "a worker ends once")
            guard !isExpected else {
                // It is let go only where it takes calls.
                if worker?.readAt != nil { unserved = 0 }
                return nil
            }
            note(reason, stage)
            // One that a call has ended says nothing of those that come after it.
            let isAtFault = if case .serving(let hadCalls) = stage { !hadCalls && isNew(worker, at: now) } else { true }
            if worker?.hasFailed != true, isAtFault { fail(stage, hasServed: worker?.hasServed == true, at: now) }
            return isClosed || stage == .refused ? nil : sentence()
        }
        return nil
    }

    /// Whether a worker has lived for a while that came after the last failure.
    private func hasSettled(at now: ContinuousClock.Instant) -> Bool {
        workers.values.contains { worker in
            worker.readAt.map { $0 >= failedAt && now - $0 >= Self.settling } ?? false
        }
    }

    /// Whether a worker has read the scripts just now.
    private func isNew(_ worker: Worker?, at now: ContinuousClock.Instant) -> Bool {
        worker?.readAt.map { now - $0 < Self.settling } ?? false
    }

    /// Counts a worker that ended for no call's sake. Others are not begun again and again without a pause.
    private mutating func fail(_ stage: ScriptWorker.Stage, hasServed: Bool, at now: ContinuousClock.Instant) {
        (failures, failedAt) = (failures + 1, now)
        if !hasServed { unserved += 1 }
        if case .endless = stage {
            (failures, unserved) = (max(failures, Self.patience), max(unserved, Self.patience))
            pausedUntil = now + Self.endlessPause
        } else {
            pausedUntil = now + pause
        }
    }

    private mutating func note(_ reason: String, _ stage: ScriptWorker.Stage) {
        (lastEnd, lastFile) = (reason, nil)
        switch stage {
        case .reading(let file?): (lastEnd, lastFile) = ("its process ended while it read \(file): \(reason)", file)
        case .endless(let file): lastFile = file
        case .reading, .refused, .serving: break
        }
    }

    /// What is to be said of the last end: where many end, only what wasn't said before.
    private mutating func sentence() -> String? {
        guard let lastEnd else { return nil }
        guard failures >= Self.patience else { return "a worker ended, and another takes its place: \(lastEnd)" }
        guard lastEnd != told else { return nil }
        told = lastEnd
        return "workers end one after the other, and others are begun after pauses: \(lastEnd)"
    }

    /// Whether the invariants hold that are true between calls. A pool that is made smaller has more workers for a
    /// while.
    private var isSound: Bool { workers.keys.allSatisfy { $0 < nextWorker } && failures >= 0 && size >= 0 }
}
