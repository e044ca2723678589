import Synchronization

/// Takes turns at work during which others can't do theirs: one piece at a time per key, and after a long one the
/// others get as much time as it took.
public final class LongWorkGate<Key: Hashable & Sendable>: Sendable {
    private struct Line {
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let lines = Mutex<[Key: Line]>([:])
    private let most: Int

    /// Shorter work is followed by the next immediately.
    private static var longWork: Duration { .milliseconds(200) }

    /// - Parameter most: the maximum number of waiting callers per key.
    public init(most: Int = 256) {
        self.most = most
    }

    /// Does a piece of work in its turn.
    /// - Parameter patience: the maximum time to wait.
    /// - Returns: nil if too many are waiting, or the wait was too long.
    public func run<Success: Sendable, Failure: Error>(
        of key: Key, patience: Duration, _ body: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success? {
        let arrival = ContinuousClock.now
        guard await begins(key) else { return nil }
        let start = ContinuousClock.now
        defer { ended(key, after: ContinuousClock.now - start) }
        guard start - arrival < patience else { return nil }
        return try await body()
    }

    private func begins(_ key: Key) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = lines.withLock { lines in
                guard let line = lines[key] else {
                    lines[key] = Line()
                    return true
                }
                guard line.waiting.count < most else { return false }
                lines[key]?.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func ended(_ key: Key, after time: Duration) {
        guard time >= Self.longWork else { return next(key) }
        Task {
            try? await Task.sleep(for: time)
            next(key)
        }
    }

    private func next(_ key: Key) {
        let next: CheckedContinuation<Bool, Never>? = lines.withLock { lines in
            guard let line = lines[key], !line.waiting.isEmpty else {
                lines[key] = nil
                return nil
            }
            return lines[key]?.waiting.removeFirst()
        }
        next?.resume(returning: true)
    }
}
