/// The system's clocks, in nanoseconds unless stated otherwise.
public enum Clocks {
    /// A monotonic clock that is cheap to read, with a resolution of some milliseconds.
    public static var coarse: UInt64 {
        #if os(Linux)
            nanoseconds(of: CLOCK_MONOTONIC_COARSE)
        #else
            nanoseconds(of: CLOCK_MONOTONIC)
        #endif
    }

    /// A precise monotonic clock, for short times.
    public static var exact: UInt64 { nanoseconds(of: CLOCK_MONOTONIC_RAW) }

    /// Returns the nanoseconds that have passed since a reading of the exact clock.
    public static func nanoseconds(since start: UInt64) -> Int64 { Int64(bitPattern: exact &- start) }

    /// Seconds since 1970, as precise as is cheap.
    public static var coarseSeconds: Int {
        var time = timespec()
        #if os(Linux)
            _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #else
            _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return time.tv_sec
    }

    /// The processor time used by the process.
    public static var processorTime: UInt64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
