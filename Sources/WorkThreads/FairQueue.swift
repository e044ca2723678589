import Dispatch
import Synchronization

/// A queue between async callers, who wait for a bounded time, and threads, which wait for work. Its turns are shared out
/// among those who ask; `FairSchedule` says how.
public final class FairQueue<Element: Sendable>: Sendable {
    private struct State {
        var schedule: FairSchedule<Element>
        var idleThreads = 0
        /// Those that were woken and have not come yet. Whoever comes takes work and wakes another where more is left.
        var comingThreads = 0
        var isWatched = false
        var isClosed = false

        mutating func wakeOne() {
            idleThreads -= 1
            comingThreads += 1
        }
    }

    private let state: Mutex<State>
    private let wake = DispatchSemaphore(value: 0)
    private let refuse: @Sendable (Element, Turn, Refusal) -> Void

    /// - Parameters:
    ///   - slots: how many threads do work that has an asker at a time; the others are for quick work.
    ///   - refuse: tells the caller that nothing was begun, and why.
    public init(
        slots: Int, limits: QueueLimits = QueueLimits(), refuse: @escaping @Sendable (Element, Turn, Refusal) -> Void
    ) {
        state = Mutex(State(schedule: FairSchedule(slots: slots, limits: limits)))
        self.refuse = refuse
    }

    /// Queues work for its turn, or refuses it where no more can wait.
    public func push(_ element: Element, _ turn: Turn) {
        let (refusal, wakes, watches) = state.withLock { state -> (Refusal?, Bool, Bool) in
            guard !state.isClosed else { return (.closed, false, false) }
            if let refusal = state.schedule.add((turn, element)) { return (refusal, false, false) }
            let wakes = state.idleThreads > 0 && (turn.asker != nil || state.comingThreads == 0)
            if wakes { state.wakeOne() }
            // Quick work that a thread takes at once needs nobody to look after it.
            let watches = !state.isWatched && (turn.asker != nil || !wakes)
            if watches { state.isWatched = true }
            return (nil, wakes, watches)
        }
        if let refusal { return refuse(element, turn, refusal) }
        if wakes { wake.signal() }
        if watches { watch() }
    }

    /// Waits for work and takes it. Who takes has to `end` the turn.
    /// - Returns: nil where the queue is closed and empty.
    public func take() -> (turn: Turn, element: Element)? {
        take { $0.next(at: .now) }
    }

    /// Waits for work and takes it, with what waits behind it and can be done together with it. Who takes has to `end`
    /// each turn.
    /// - Parameters:
    ///   - limit: the most work at a time.
    ///   - isAlike: whether quick work can be done together with the first, which is quick too.
    /// - Returns: nil where the queue is closed and empty.
    public func take(
        upTo limit: Int, _ isAlike: @Sendable (_ first: Element, _ other: Element) -> Bool
    ) -> [(turn: Turn, element: Element)]? {
        take { schedule in
            guard let first = schedule.next(at: .now) else { return nil }
            guard first.turn.asker == nil else { return [first] }
            return [first] + schedule.nextQuick(upTo: limit - 1) { isAlike(first.element, $0) }
        }
    }

    private func take<Work: Sendable>(_ next: @Sendable (inout FairSchedule<Element>) -> Work?) -> Work? {
        var hasCome = false
        while true {
            let (work, wakes, isOver) = state.withLock { state -> (Work?, Bool, Bool) in
                if hasCome { state.comingThreads -= 1 }
                if let work = next(&state.schedule) {
                    // A slot that became free may be for other work than this thread takes.
                    let wakes = state.idleThreads > 0 && state.schedule.hasNext
                    if wakes { state.wakeOne() }
                    return (work, wakes, false)
                }
                // What waits for one of the slots is taken by the thread that leaves it.
                if state.isClosed { return (nil, false, true) }
                state.idleThreads += 1
                return (nil, false, false)
            }
            if wakes { wake.signal() }
            if let work { return work }
            if isOver { return nil }
            wake.wait()
            hasCome = true
        }
    }

    /// Says that a turn's work is done.
    public func end(_ turn: Turn) {
        turn.whenStopped(nil)
        guard turn.asker != nil else { return }
        state.withLock { $0.schedule.end(turn, at: .now) }
    }

    /// How much waits and runs.
    public var load: QueueLoad { state.withLock { $0.schedule.load } }

    /// Takes no more work; what waits is still handed out.
    public func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            state.comingThreads += state.idleThreads
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idle { wake.signal() }
    }

    /// Looks after the turns every tick for as long as there are any. There is one timer at most.
    private func watch() {
        let tick = DispatchTimeInterval.milliseconds(Int(QueueLimits.tick / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + tick) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        let (verdicts, isIdle) = state.withLock { state in
            let verdicts = state.schedule.sweep(at: .now)
            let isIdle = state.schedule.isIdle
            if isIdle { state.isWatched = false }
            return (verdicts, isIdle)
        }
        if !isIdle { watch() }
        for (turn, refusal) in verdicts.stopped { turn.stop(refusal) }
        for (entry, refusal) in verdicts.refused { refuse(entry.element, entry.turn, refusal) }
    }
}
