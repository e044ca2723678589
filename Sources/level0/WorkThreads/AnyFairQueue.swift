import Dispatch
import Synchronization

/// The type-erased implementation of `FairQueue`: generic code is several times slower than code for one type.
final class AnyFairQueue: Sendable {
    typealias Element = any Sendable

    private struct State {
        var schedule: FairSchedule<Element>
        var idleThreads = 0
        /// Threads that were woken and have not arrived yet. Each takes work on arrival, and wakes another if more is
        /// left.
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
    private let refuse: @Sendable (Element, QueueTicket, QueueRefusal) -> Void

    /// - Parameters:
    ///   - slots: the number of threads that do work with an asker at a time; the others are for quick work.
    ///   - refuse: tells the caller that work was not started, and why.
    init(
        slots: Int, limits: QueueLimits = QueueLimits(),
        refuse: @escaping @Sendable (Element, QueueTicket, QueueRefusal) -> Void
    ) {
        state = Mutex(State(schedule: FairSchedule(slots: slots, limits: limits)))
        self.refuse = refuse
    }

    /// Queues work for its turn, or refuses it if no more may wait.
    /// - Parameter isBrief: whether a thread woken for other work may do this too.
    func push(_ element: Element, _ ticket: QueueTicket, isBrief: Bool = false) {
        let (refusal, wakes, watches) = state.withLock { state -> (QueueRefusal?, Bool, Bool) in
            guard !state.isClosed else { return (.closed, false, false) }
            if let refusal = state.schedule.add((ticket, element)) { return (refusal, false, false) }
            let isShared = ticket.asker == nil || isBrief
            // If all slots are taken, the thread that frees one takes it.
            let wakes = state.idleThreads > 0 && (!isShared || state.comingThreads == 0) && state.schedule.hasNext
            if wakes { state.wakeOne() }
            // Quick work that a thread takes immediately needs no watching.
            let watches = !state.isWatched && (ticket.asker != nil || !wakes)
            if watches { state.isWatched = true }
            return (nil, wakes, watches)
        }
        if let refusal { return refuse(element, ticket, refusal) }
        if wakes { wake.signal() }
        if watches { watch() }
    }

    /// Waits for work and takes it, together with queued work that can be done along with it. Call `end` for each turn.
    /// - Parameters:
    ///   - limit: the maximum amount of work at a time.
    ///   - isAlike: whether work can be done together with the first; both are quick, or both have askers.
    /// - Returns: nil if the queue is closed and empty.
    func take(
        upTo limit: Int, _ isAlike: @Sendable (_ first: Element, _ other: Element) -> Bool
    ) -> [(ticket: QueueTicket, element: Element)]? {
        take { schedule in
            guard let first = schedule.next(at: .now) else { return nil }
            let isQuick = first.ticket.asker == nil
            return [first]
                + (isQuick
                    ? schedule.nextQuick(upTo: limit - 1) { isAlike(first.element, $0) }
                    : schedule.nextBeside(upTo: limit - 1, at: .now) { isAlike(first.element, $0) })
        }
    }

    private func take(
        _ next: @Sendable (inout FairSchedule<Element>) -> [(ticket: QueueTicket, element: Element)]?
    ) -> [(ticket: QueueTicket, element: Element)]? {
        var hasCome = false
        while true {
            let (work, wakes, isOver) = state.withLock {
                state -> ([(ticket: QueueTicket, element: Element)]?, Bool, Bool) in
                if hasCome { state.comingThreads -= 1 }
                if let work = next(&state.schedule) {
                    // A free slot may be for work other than what this thread takes.
                    let wakes = state.idleThreads > 0 && state.schedule.hasNext
                    if wakes { state.wakeOne() }
                    return (work, wakes, false)
                }
                // Work that waits for a slot is taken by the thread that frees it.
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

    /// Records that the work of tickets is done.
    func end(_ tickets: some Collection<QueueTicket>) {
        for ticket in tickets { ticket.whenStopped(nil) }
        guard tickets.contains(where: { $0.asker != nil }) else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            for ticket in tickets { state.schedule.end(ticket, at: now) }
        }
    }

    /// The amount of waiting and running work.
    var load: QueueLoad { state.withLock { $0.schedule.load } }

    /// Stops accepting work; queued work is still handed out.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            state.comingThreads += state.idleThreads
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idle { wake.signal() }
    }

    /// Checks the tickets every tick while there are any, with at most one timer.
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
        for (ticket, refusal) in verdicts.stopped { ticket.stop(refusal) }
        for (entry, refusal) in verdicts.refused { refuse(entry.element, entry.ticket, refusal) }
    }
}
