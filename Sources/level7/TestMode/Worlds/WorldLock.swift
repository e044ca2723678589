import Synchronization

/// Admits any number of requests, or one change to everything they see, so that no request sees half a change. A change
/// takes precedence over requests that arrive after it.
final class WorldLock: Sendable {
    private struct State {
        var inside = 0
        var isChanging = false
        var asking: [CheckedContinuation<Void, Never>] = []
        var changing: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs a request alongside others.
    func pass<Result: Sendable>(_ body: () async -> Result) async -> Result {
        await enter()
        defer { leave() }
        return await body()
    }

    /// Runs a change while no request is in progress.
    func alone<Result: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await enterAlone()
        defer { leaveAlone() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                guard !state.isChanging, state.changing.isEmpty else {
                    state.asking.append(continuation)
                    return false
                }
                state.inside += 1
                return true
            }
            if mayEnter { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.inside -= 1
            guard state.inside == 0, !state.changing.isEmpty else { return nil }
            state.isChanging = true
            return state.changing.removeFirst()
        }
        next?.resume()
    }

    private func enterAlone() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                guard !state.isChanging, state.inside == 0 else {
                    state.changing.append(continuation)
                    return false
                }
                state.isChanging = true
                return true
            }
            if mayEnter { continuation.resume() }
        }
    }

    private func leaveAlone() {
        let next = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            if !state.changing.isEmpty { return [state.changing.removeFirst()] }
            state.isChanging = false
            let asking = state.asking
            state.asking = []
            state.inside += asking.count
            return asking
        }
        for continuation in next { continuation.resume() }
    }
}
