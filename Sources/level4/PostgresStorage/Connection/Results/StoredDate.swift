import Scalars

/// Dates as PostgreSQL counts them: microseconds or days since 2000.
///
/// Infinite dates are the smallest and the largest number. Dates between these and the years that can be written are
/// shown as the first or the last of these years (`Instant`).
enum StoredDate {
    private static let epoch: Int64 = 946_684_800_000

    /// Returns the nearest date that PostgreSQL has: infinity beyond its range.
    static func microseconds(of instant: Instant) -> Int64 {
        let (sinceEpoch, isBelow) = instant.milliseconds.subtractingReportingOverflow(epoch)
        let (result, isBeyond) = sinceEpoch.multipliedReportingOverflow(by: 1_000)
        return isBelow || isBeyond ? (instant.milliseconds < 0 ? .min : .max) : result
    }

    /// Returns the instant, rounded down to the millisecond.
    static func instant(microseconds: Int64) -> Instant {
        let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        return Instant(milliseconds: quotient - (rest < 0 ? 1 : 0) + epoch)
    }

    /// Returns midnight of a day; its milliseconds always fit into 64 bits.
    static func instant(days: Int32) -> Instant {
        Instant(milliseconds: Int64(days) * 86_400_000 + epoch)
    }
}
