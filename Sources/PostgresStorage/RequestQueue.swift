import Dispatch
import Synchronization
import Tables

/// What waits for a thread and can be told that it waited too long.
protocol Refusable: Sendable {
    /// Tells the caller that nothing was begun.
    var refuse: @Sendable (TableError) -> Void { get }
}

/// A queue in order of arrival between async callers, who wait for a bounded time, and threads, which wait for work.
final class RequestQueue<Request: Refusable>: Sendable {
    private struct State {
        var waiting: [(request: Request, deadline: ContinuousClock.Instant)] = []
        /// The first request that was not taken: those before it are gone.
        var head = 0
        var idleThreads = 0
        var isWatched = false
        var isClosed = false

        var count: Int { waiting.count - head }

        mutating func takeFirst() -> Request {
            head += 1
            let request = waiting[head - 1].request
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                head = 0
            } else if head > 1_000, head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return request
        }
    }

    private let patience: Duration
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter patience: how long a request waits before it is refused.
    init(patience: Duration) {
        self.patience = patience
    }

    /// Queues a request, or refuses it where the queue is closed.
    func push(_ request: Request) {
        let deadline = ContinuousClock.now.advanced(by: patience)
        let (isAccepted, wakes, watches) = state.withLock { state in
            guard !state.isClosed else { return (false, false, false) }
            state.waiting.append((request, deadline))
            if state.idleThreads > 0 {
                state.idleThreads -= 1
                return (true, true, false)
            }
            defer { state.isWatched = true }
            return (true, false, !state.isWatched)
        }
        if wakes { wake.signal() }
        if watches { watch(until: deadline) }
        if !isAccepted { request.refuse(.closed) }
    }

    /// Waits for requests and takes as many as are there, up to a number.
    /// - Returns: nil where the queue is closed and empty.
    func take(upTo limit: Int) -> [Request]? {
        while true {
            let (taken, isOver) = state.withLock { state -> ([Request], Bool) in
                if state.count == 0 {
                    if !state.isClosed { state.idleThreads += 1 }
                    return ([], state.isClosed)
                }
                return ((0..<min(limit, state.count)).map { _ in state.takeFirst() }, false)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            wake.wait()
        }
    }

    /// Takes no more requests; those that wait are still handed out.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idle { wake.signal() }
    }

    /// Refuses what waits for too long. There is one timer at most, set for the first in the queue.
    private func watch(until deadline: ContinuousClock.Instant) {
        let delay = max(deadline - ContinuousClock.now, .zero)
        let time = DispatchTime.now() + .milliseconds(Int(delay.milliseconds) + 1)
        DispatchQueue.global().asyncAfter(deadline: time) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        let now = ContinuousClock.now
        let (late, next) = state.withLock { state -> ([Request], ContinuousClock.Instant?) in
            var late: [Request] = []
            while state.count > 0, state.waiting[state.head].deadline <= now { late.append(state.takeFirst()) }
            let next = state.count > 0 ? state.waiting[state.head].deadline : nil
            state.isWatched = next != nil
            return (late, next)
        }
        if let next { watch(until: next) }
        for request in late { request.refuse(.unavailable(detail: "no database connection became free in time")) }
    }
}

extension TableError {
    /// What every call answers after the store was closed.
    static let closed = TableError.unavailable(detail: "the store is closed")
}
