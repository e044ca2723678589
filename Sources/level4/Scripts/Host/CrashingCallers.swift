import ByteText
import Synchronization

/// The callers whose calls of a script crashed a worker lately: their calls of it get separate workers for a while.
final class CrashingCallers: Sendable {
    private let since = Mutex<[ExactText: ContinuousClock.Instant]>([:])

    /// How long a caller counts after the last crash.
    static let time = Duration.seconds(60)
    /// The maximum number of callers remembered.
    private static let most = 10_000

    /// Adds a caller.
    func add(_ caller: ExactText, at now: ContinuousClock.Instant) {
        since.withLock { since in
            if since.count >= Self.most { since = since.filter { now - $0.value < Self.time } }
            if since.count < Self.most { since[caller] = now }
        }
    }

    /// Whether there are no such callers.
    var isEmpty: Bool { since.withLock { $0.isEmpty } }

    /// Returns whether this is such a caller.
    func has(_ caller: ExactText, at now: ContinuousClock.Instant) -> Bool {
        since.withLock { since in
            guard let start = since[caller] else { return false }
            if now - start < Self.time { return true }
            since[caller] = nil
            return false
        }
    }
}
