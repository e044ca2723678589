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

/// A store that reports how far its tables' stamps have come.
///
/// Stamps follow the clock but never go back, so one that was ahead once, because of a wrong clock or an import, stays
/// ahead until the clock has caught up; servers of one database share that.
public protocol StampStore: TableStore {
    /// The last stamp given in each served table; the epoch if there was none.
    func lastStamps() async throws(TableError) -> [Identifier: Instant]
}
