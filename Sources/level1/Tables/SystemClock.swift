import Platform
public import Scalars

/// Returns the current time, in whole milliseconds.
public typealias Clock = @Sendable () -> Instant

/// Returns the current time for irreversible operations; nil while no clock can be trusted.
public typealias TrustedClock = @Sendable () -> Instant?

extension Instant {
    /// Whole seconds since 1970, the resolution of tokens and of HTTP dates.
    public var secondsRoundedDown: Int64 {
        milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
    }
}

/// The machine's clock.
public enum SystemClock {
    /// Returns the current time in whole milliseconds.
    public static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
