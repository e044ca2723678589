/// The system's clocks, in nanoseconds.
public enum Clocks {
    /// One that never goes back, as exact as is cheap: some milliseconds.
    public static var coarse: UInt64 {
        #if os(Linux)
            nanoseconds(of: CLOCK_MONOTONIC_COARSE)
        #else
            nanoseconds(of: CLOCK_MONOTONIC)
        #endif
    }

    /// One that never goes back, exact, for short times.
    public static var exact: UInt64 { nanoseconds(of: CLOCK_MONOTONIC_RAW) }

    /// The nanoseconds since a time of the exact clock.
    public static func nanoseconds(since start: UInt64) -> Int64 { Int64(bitPattern: exact &- start) }

    /// Seconds since 1970, as exact as is cheap.
    public static var coarseSeconds: Int {
        var time = timespec()
        #if os(Linux)
            _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #else
            _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return time.tv_sec
    }

    /// The processor time that the process has used.
    public static var processorTime: UInt64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
