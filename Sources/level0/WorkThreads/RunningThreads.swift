import Synchronization

import class Foundation.Thread

/// A group of threads whose end can be awaited.
public final class RunningThreads: Sendable {
    private struct State {
        var count = 0
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Creates an empty group.
    public init() {}

    /// Starts a thread.
    public func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.count += 1 }
        NamedThread.start(name) { [self] in
            body()
            leave()
        }
    }

    /// Whether no thread is running.
    public var haveEnded: Bool { state.withLock { $0.count == 0 } }

    /// Returns when all threads have ended.
    public func ended() async {
        await waiter()?.wait()
    }

    /// Returns when all threads have ended, or at the deadline.
    /// - Returns: false if one is still running.
    public func ended(by deadline: ContinuousClock.Instant) async -> Bool {
        guard let waiter = waiter() else { return true }
        let alarm = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            waiter.tell()
        }
        await waiter.wait()
        alarm.cancel()
        return haveEnded
    }

    /// Returns the caller to notify; nil if there is nothing to wait for.
    private func waiter() -> Waiter? {
        state.withLock { state in
            guard state.count > 0 else { return nil }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return waiter
        }
    }

    private func leave() {
        let waiting = state.withLock { state -> [Waiter] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.tell() }
    }
}

/// An async caller that waits until it is notified, by whichever call comes first.
private final class Waiter: Sendable {
    private struct State {
        var isTold = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func tell() {
        let continuation = state.withLock { state in
            state.isTold = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isTold = state.withLock { state in
                if !state.isTold { state.continuation = continuation }
                return state.isTold
            }
            if isTold { continuation.resume() }
        }
    }
}

/// A separate thread, for work that would hold up whatever shared a thread with it.
public enum NamedThread {
    /// Starts a thread, which ends with the body. System tools show its name.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { body() }
        thread.name = name
        thread.start()
    }
}
