import Synchronization

/// Notifies the task waiting for a call: each time the call asks for something, and once when it ends.
final class CallNews<End: Sendable>: Sendable {
    enum Item {
        /// The call asks for something that isn't being handled yet.
        case asked
        case end(End)
    }

    private struct State {
        /// Whether it has asked for something since the last notification.
        var isAsked = false
        var end: End?
        /// Whether it has ended, even if the listener doesn't know yet.
        var hasEnded = false
        /// Whether the listener is gone.
        var isCancelled = false
        var listener: CheckedContinuation<Item?, Never>?

        mutating func next() -> Item? {
            if isAsked {
                isAsked = false
                return .asked
            }
            defer { end = nil }
            return end.map { .end($0) }
        }

        /// Removes the listener, which is resumed only once.
        mutating func takeListener() -> CheckedContinuation<Item?, Never>? {
            defer { listener = nil }
            return listener
        }
    }

    private let state = Mutex(State())

    /// Notifies the listener of an ask. After the call's end, there is no one to handle it.
    func ask() {
        let listener = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            guard !state.hasEnded else { return nil }
            if state.listener == nil { state.isAsked = true }
            return state.takeListener()
        }
        listener?.resume(returning: .asked)
    }

    /// Notifies the listener of the end; only the first one counts.
    func end(_ end: End) {
        let listener = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            if state.listener == nil { state.end = end }
            return state.takeListener()
        }
        listener?.resume(returning: .end(end))
    }

    /// Waits for the next notification. Only one task may wait at a time.
    /// - Returns: nil if the task is cancelled.
    func next() async -> Item? {
        if let item = state.withLock({ $0.next() }) { return item }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (item, isOver) = state.withLock { state -> (Item?, Bool) in
                    precondition(state.listener == nil)
                    let item = state.next()
                    if item == nil, !state.isCancelled { state.listener = continuation }
                    return (item, state.listener == nil)
                }
                if isOver { continuation.resume(returning: item) }
            }
        } onCancel: {
            let listener = state.withLock { state in
                state.isCancelled = true
                return state.takeListener()
            }
            listener?.resume(returning: nil)
        }
    }

    /// Waits for the end only.
    /// - Returns: nil if the task is cancelled.
    func end() async -> End? {
        while let item = await next() {
            if case .end(let end) = item { return end }
        }
        return nil
    }
}
