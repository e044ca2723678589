import Synchronization

/// What whoever waits for a call hears of it: that it asks for something, as often as it does, and once its end.
final class CallNews<End: Sendable>: Sendable {
    enum Item {
        /// It asks for something, and nobody sees to that yet.
        case asked
        case end(End)
    }

    private struct State {
        /// Whether it has asked since it was last heard of.
        var isAsked = false
        var end: End?
        /// Whether the end is told, or is yet to be heard.
        var hasEnded = false
        /// Whether nobody wants to hear of it.
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

        /// Whoever waits, who is told one thing.
        mutating func takeListener() -> CheckedContinuation<Item?, Never>? {
            defer { listener = nil }
            return listener
        }
    }

    private let state = Mutex(State())

    /// Tells that it asks for something. Behind its end that is nothing that whoever waits sees to.
    func ask() {
        let listener = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            guard !state.hasEnded else { return nil }
            if state.listener == nil { state.isAsked = true }
            return state.takeListener()
        }
        listener?.resume(returning: .asked)
    }

    /// Tells its end; the first one counts.
    func end(_ end: End) {
        let listener = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            if state.listener == nil { state.end = end }
            return state.takeListener()
        }
        listener?.resume(returning: .end(end))
    }

    /// Waits for what is told next. One at a time does.
    /// - Returns: nil where its task is cancelled.
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

    /// Waits for its end alone.
    /// - Returns: nil where its task is cancelled.
    func end() async -> End? {
        while let item = await next() {
            if case .end(let end) = item { return end }
        }
        return nil
    }
}
