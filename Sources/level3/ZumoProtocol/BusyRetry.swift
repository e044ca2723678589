import Synchronization
import WorkThreads

/// When requests that were refused because something is full should come back: connections, memory, places to wait.
/// Nobody knows when there will be room, but requests refused at the same time had better not come back at the same
/// time.
public enum BusyRetry {
    /// So many come back in a second.
    private static let perSecond = 50
    private static let spread = Mutex(RetryStagger())

    /// After how many seconds the next of them should come back.
    public static func seconds(at now: ContinuousClock.Instant = .now) -> Int {
        spread.withLock { $0.seconds(ahead: .zero, step: .seconds(1) / perSecond, at: now) }
    }
}
