public import OData

/// A store that tells how far its tables' stamps have come.
///
/// Stamps follow the clock but never go back, so one that was ahead once, by a clock that was wrong or by an import,
/// stays ahead until the clock has caught up; servers of one database share that.
public protocol StampStore: TableStore {
    /// The last stamp that was given in each table that is served; the epoch where none was.
    func lastStamps() async throws(TableError) -> [Identifier: Instant]
}
