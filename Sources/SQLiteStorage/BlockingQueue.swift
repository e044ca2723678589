import Dispatch
import Synchronization

/// A queue between async callers, who never wait, and threads, which wait for work.
final class BlockingQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
        var waiting = 0
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Returns: false where the queue is closed and the element was not taken.
    func push(_ element: Element) -> Bool {
        let (accepted, wakes) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.elements.append(element)
            guard state.waiting > 0 else { return (true, false) }
            state.waiting -= 1
            return (true, true)
        }
        if wakes { wake.signal() }
        return accepted
    }

    /// Waits for elements and takes as many as are there, up to a number.
    /// - Returns: nil where the queue is closed and empty.
    func take(upTo limit: Int) -> [Element]? {
        while true {
            let (taken, isOver) = state.withLock { state -> ([Element], Bool) in
                if state.elements.isEmpty {
                    if !state.isClosed { state.waiting += 1 }
                    return ([], state.isClosed)
                }
                let taken = Array(state.elements.prefix(limit))
                state.elements.removeFirst(taken.count)
                return (taken, false)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            wake.wait()
        }
    }

    /// How many elements wait.
    var count: Int { state.withLock { $0.elements.count } }

    /// Takes no more elements; those that are there are still handed out.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { wake.signal() }
    }
}
