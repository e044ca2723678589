import Dispatch
import ServerConfiguration
import Synchronization

/// Tells a program of what is logged, one event after the other, on a thread that nothing of the server waits for.
final class LogListener: Sendable {
    /// The most events that wait for the program. Those beyond are dropped and counted.
    static let most = 10_000

    private let hear: @Sendable (LogEvent) -> Void
    private let queue = DispatchQueue(label: "zumod log listener", qos: .utility)
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

    /// - Parameter hear: may take its time.
    init(_ hear: @escaping @Sendable (LogEvent) -> Void) {
        self.hear = hear
    }

    func take(_ event: LogEvent) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
            waiting.subtract(1, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        queue.async { [self] in
            let lost = dropped.exchange(0, ordering: .relaxed)
            if lost > 0 {
                hear(LogEvent(.warning, "log lines were dropped, since nobody took them", ["count": "\(lost)"]))
            }
            hear(event)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Returns when the program has heard of everything, or the time is over.
    func close(within seconds: Double) {
        let end = DispatchSemaphore(value: 0)
        queue.async { end.signal() }
        _ = end.wait(timeout: .now() + seconds)
    }
}
