import Synchronization

/// The end of a thread, for which one async caller waits.
final class ThreadEnd: Sendable {
    private struct State {
        var hasCome = false
        var isOverdue = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func come() {
        finish { $0.hasCome = true }
    }

    var hasCome: Bool { state.withLock { $0.hasCome } }

    /// - Returns: false where the thread still runs at the deadline.
    func wait(until deadline: ContinuousClock.Instant) async -> Bool {
        let alarm = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            finish { $0.isOverdue = true }
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let isOver = state.hasCome || state.isOverdue
                if !isOver { state.waiting = continuation }
                return isOver
            }
            if isOver { continuation.resume() }
        }
        alarm.cancel()
        return state.withLock { $0.hasCome }
    }

    private func finish(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
