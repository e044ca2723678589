import Foundation
import Synchronization

/// Threads that can be waited for.
final class RunningThreads: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a thread.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.count += 1 }
        let thread = Thread { [self] in
            body()
            leave()
        }
        thread.name = name
        thread.start()
    }

    /// Returns when all threads have ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func leave() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
