import ByteText
import Synchronization

/// Who called a script that ended its worker lately: whose calls of it have workers of their own for a while.
final class CrashingCallers: Sendable {
    private let since = Mutex<[ExactText: ContinuousClock.Instant]>([:])

    /// For how long after the last time.
    static let time = Duration.seconds(60)
    /// The most that are remembered.
    private static let most = 10_000

    /// Takes note of one.
    func add(_ caller: ExactText) {
        since.withLock { since in
            if since.count >= Self.most { since = since.filter { .now - $0.value < Self.time } }
            if since.count < Self.most { since[caller] = .now }
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { since.withLock { $0.isEmpty } }

    /// Whether it is one.
    func has(_ caller: ExactText) -> Bool {
        since.withLock { since in
            guard let start = since[caller] else { return false }
            if .now - start < Self.time { return true }
            since[caller] = nil
            return false
        }
    }
}
