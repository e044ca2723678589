public import Scalars

/// The rule that gives every write of a table its own `updatedAt`.
public enum Stamp {
    /// The clock's millisecond, or one after the table's last stamp if the clock has not moved past it.
    public static func next(after last: Instant, now: Instant) -> Instant {
        max(now, last.next)
    }
}

extension Instant {
    /// The next millisecond; none follows the last that there is a number for.
    public var next: Instant {
        Instant(milliseconds: milliseconds == .max ? .max : milliseconds + 1)
    }
}
