public import OData
import Platform

/// What tells the present, in whole milliseconds.
public typealias Clock = @Sendable () -> Instant

/// The machine's clock.
public enum SystemClock {
    /// The present in whole milliseconds.
    public static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
