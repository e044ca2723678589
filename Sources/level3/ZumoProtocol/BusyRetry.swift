import Synchronization
import WorkThreads

/// When requests that were refused because something is full (connections, memory, queues) should be retried. When
/// there will be room is unknown, but requests refused at the same time shouldn't all come back at once.
public enum BusyRetry {
    /// How many are told to come back in each second.
    private static let perSecond = 50
    private static let spread = Mutex(RetryStagger())

    /// Returns the number of seconds after which the next one should retry.
    public static func seconds(at now: ContinuousClock.Instant = .now) -> Int {
        spread.withLock { $0.seconds(ahead: .zero, step: .seconds(1) / perSecond, at: now) }
    }
}
