public import Scalars

/// A store that can remove what is left of deleted rows.
///
/// A device that was away for longer than tombstones are kept never learns of the deletes that it missed, so the stamp
/// up to which they are gone is kept with the table.
public protocol TombstoneStore: TableStore {
    /// Counts the tombstones that were deleted before an instant.
    func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64

    /// Removes the oldest tombstones that were deleted before an instant, up to a number, and moves the fence. Live
    /// rows stay, including those that were tombstones a moment ago.
    ///
    /// A tombstone to which a row refers by a foreign key stays, whatever the key says about deletes: that row would go
    /// with it, lose its reference, or point to nothing. So does one that the database keeps.
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
    /// Where the next step begins; nil if none is left.
    public let next: Instant?
    /// Those that had to stay.
    public let kept: [RetainedTombstone]

    /// Puts a step together.
    public init(removed: Int, next: Instant?, kept: [RetainedTombstone] = []) {
        self.removed = removed
        self.next = next
        self.kept = kept
    }
}

/// A tombstone that a purge left where it is.
public struct RetainedTombstone: Sendable, Hashable {
    /// Its id.
    public let id: RowID
    /// Why it stays, as the end of a sentence.
    public let reason: String

    /// Puts the two together.
    public init(id: RowID, reason: String) {
        self.id = id
        self.reason = reason
    }

    /// One to which rows of a table refer.
    /// - Parameter table: the table, as an operator knows it.
    public init(id: RowID, referredToBy table: String) {
        self.init(id: id, reason: "rows of \(table) refer to it")
    }
}
