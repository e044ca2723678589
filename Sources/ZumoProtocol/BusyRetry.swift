import Synchronization
import WorkThreads

/// When those are to ask again who were refused since something is full: connections, memory, places to wait. Nobody knows
/// when it will be less so, but whoever was refused at the same time had better not come back at the same time.
public enum BusyRetry {
    /// So many come back in a second.
    private static let perSecond = 50
    private static let spread = Mutex(RetrySpread())

    /// After how many seconds the next of them is to ask again.
    public static func seconds(at now: ContinuousClock.Instant = .now) -> Int {
        spread.withLock { $0.seconds(ahead: .zero, step: .seconds(1) / perSecond, at: now) }
    }
}
