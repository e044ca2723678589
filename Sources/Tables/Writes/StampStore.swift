public import Scalars

/// A store that reports how far its tables' stamps have come.
///
/// Stamps follow the clock but never go back, so one that was ahead once, because of a wrong clock or an import, stays
/// ahead until the clock has caught up; servers of one database share that.
public protocol StampStore: TableStore {
    /// The last stamp given in each served table; the epoch if there was none.
    func lastStamps() async throws(TableError) -> [Identifier: Instant]
}
