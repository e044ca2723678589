public import Scalars

/// A store that can remove tombstones.
///
/// A device that was away for longer than tombstones are kept never learns of the deletes that it missed, so the stamp
/// up to which they were removed is stored with the table.
public protocol TombstoneStore: TableStore {
    /// Returns the number of tombstones that were deleted before an instant.
    func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64

    /// Removes the oldest tombstones that were deleted before an instant, up to a limit, and moves the fence. Live rows
    /// stay, including those that were tombstones a moment ago.
    ///
    /// A tombstone that a row refers to by a foreign key stays, whatever the key says about deletes: that row would be
    /// deleted with it, lose its reference, or refer to nothing. So does one that the database refuses to delete.
    ///
    /// - Parameter start: a stamp before which there are none left to remove.
    func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep
}

/// The result of one step of a purge.
public struct PurgeStep: Sendable, Equatable {
    /// The number of tombstones removed.
    public let removed: Int
    /// Where the next step begins; nil if none are left.
    public let next: Instant?
    /// Those that had to stay.
    public let kept: [RetainedTombstone]

    /// Creates a step.
    public init(removed: Int, next: Instant?, kept: [RetainedTombstone] = []) {
        self.removed = removed
        self.next = next
        self.kept = kept
    }
}

/// A tombstone that a purge did not remove.
public struct RetainedTombstone: Sendable, Hashable {
    /// The tombstone's id.
    public let id: RowID
    /// Why it was kept, as the end of a sentence.
    public let reason: String

    /// Creates a retained tombstone.
    public init(id: RowID, reason: String) {
        self.id = id
        self.reason = reason
    }

    /// Creates a tombstone that rows of a table refer to.
    /// - Parameter table: the table's name, as operators know it.
    public init(id: RowID, referredToBy table: String) {
        self.init(id: id, reason: "rows of \(table) refer to it")
    }
}
