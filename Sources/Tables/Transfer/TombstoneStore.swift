public import OData

/// A store that can remove what is left of deleted rows.
///
/// A device that was away for longer than tombstones are kept never learns of the deletes that it missed, so the stamp
/// up to which they are gone is kept with the table.
public protocol TombstoneStore: TableStore {
    /// Counts the tombstones that were deleted before an instant.
    func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64

    /// Removes the oldest tombstones that were deleted before an instant, up to a number, and moves the fence. Live
    /// rows stay, also those that were tombstones a moment ago.
    ///
    /// - Parameter start: a stamp before which there is none left to remove.
    func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep
}

/// What one step of a purge did.
public struct PurgeStep: Sendable, Equatable {
    /// How many tombstones are gone.
    public let removed: Int
    /// Where the next step begins; nil where none is left.
    public let next: Instant?

    /// Puts a step together.
    public init(removed: Int, next: Instant?) {
        self.removed = removed
        self.next = next
    }
}
