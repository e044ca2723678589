/// What an update does to a row, or what an insert makes it.
public struct RowUpdate: Sendable, Equatable {
    /// The columns to set.
    public var properties: [Property] = []
    /// Whether to make the row a tombstone, or a live one; nil leaves it as it is. A new row begins as one or
    /// the other. Without effect if the table has no soft delete.
    public var deleted: Bool?
    /// Whether a tombstone can be written too; otherwise it is refused as one.
    public var includesTombstones = false
    /// Whether version and stamp are renewed though nothing is set (v3, and every undelete).
    public var renewsAlways = false

    /// Whether columns that are not set become null: those of the table at the time the row is written (v3's PUT). A
    /// column that another server added a moment ago is one of them.
    public var replaces = false

    /// Makes an update that sets columns of a live row.
    public init(_ properties: [Property] = []) {
        self.properties = properties
    }

    /// Makes a tombstone a live row again; a row that is live already is renewed all the same.
    public static var undelete: RowUpdate {
        var update = RowUpdate()
        update.deleted = false
        update.includesTombstones = true
        update.renewsAlways = true
        return update
    }

    /// Whether the row of such a table is only read.
    public func changesNothing(in table: Table) -> Bool {
        properties.isEmpty && !renewsAlways && !replaces && (deleted == nil || !table.rules.softDelete)
    }
}
