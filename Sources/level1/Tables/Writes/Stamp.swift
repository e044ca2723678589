public import Scalars

/// The rule that gives every write of a table a distinct `updatedAt`.
public enum Stamp {
    /// Returns the clock's millisecond, or the one after the table's last stamp if the clock has not moved past it.
    public static func next(after last: Instant, now: Instant) -> Instant {
        max(now, last.next)
    }
}

extension Instant {
    /// The next millisecond; the last representable one stays as it is.
    public var next: Instant {
        Instant(milliseconds: milliseconds == .max ? .max : milliseconds + 1)
    }
}

/// A store that reports the last stamps of its tables.
///
/// Stamps follow the clock but never go back, so after a stamp was ahead, because of a wrong clock or an import, they
/// stay ahead until the clock has caught up, for all servers of the database.
public protocol StampStore: TableStore {
    /// Returns the last stamp given in each served table; the epoch if there was none.
    func lastStamps() async throws(TableError) -> [Identifier: Instant]
}
