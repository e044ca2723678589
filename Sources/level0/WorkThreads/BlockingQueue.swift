public import Dispatch
public import Synchronization

/// A queue between async callers, who never wait, and threads, which wait for work.
///
/// All of it is inlinable: a storage target's commits go through it, and specialization for the element type makes it
/// cheaper.
public final class BlockingQueue<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var elements: [Element] = []
        @usableFromInline var isClosed = false
        @usableFromInline var waiting = 0

        @inlinable
        init() {}
    }

    @usableFromInline let state: Mutex<State>
    @usableFromInline let wake = DispatchSemaphore(value: 0)

    /// Creates an empty queue.
    @inlinable
    public init() {
        state = Mutex(State())
    }

    /// - Returns: false if the queue is closed, so that the element was not queued.
    @inlinable
    public func push(_ element: Element) -> Bool {
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

    /// Waits for elements and takes all of them, up to a limit.
    /// - Returns: nil if the queue is closed and empty.
    @inlinable
    public func take(upTo limit: Int) -> [Element]? {
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

    /// The number of waiting elements.
    @inlinable
    public var count: Int { state.withLock { $0.elements.count } }

    /// Stops accepting elements; queued ones are still handed out.
    public func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { wake.signal() }
    }
}
