import Dispatch
import Synchronization

/// A queue between async callers, who wait for a bounded time, and threads, which wait for work. Its turns are shared out
/// among those who ask; `FairSchedule` says how.
public final class FairQueue<Element: Sendable>: Sendable {
    private struct State {
        var schedule: FairSchedule<Element>
        var idleThreads = 0
        var isWatched = false
        var isClosed = false
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
            let wakes = state.idleThreads > 0
            if wakes { state.idleThreads -= 1 }
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
        while true {
            let (entry, wakes, isOver) = state.withLock { state -> (FairSchedule<Element>.Entry?, Bool, Bool) in
                if let entry = state.schedule.next(at: .now) {
                    // A slot that became free may be for other work than this thread takes.
                    let wakes = state.idleThreads > 0 && state.schedule.hasNext
                    if wakes { state.idleThreads -= 1 }
                    return (entry, wakes, false)
                }
                // What waits for one of the slots is taken by the thread that leaves it.
                if state.isClosed { return (nil, false, true) }
                state.idleThreads += 1
                return (nil, false, false)
            }
            if wakes { wake.signal() }
            if let entry { return entry }
            if isOver { return nil }
            wake.wait()
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
