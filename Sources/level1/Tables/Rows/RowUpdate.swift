/// The values of an update or an insert.
public struct RowUpdate: Sendable, Equatable {
    /// The columns to set.
    public var properties: [Property] = []
    /// Whether to make the row a tombstone or a live row; nil leaves it as it is. A new row begins as one or the other.
    /// Ignored if the table has no soft delete.
    public var deleted: Bool?
    /// Whether tombstones may be written too; otherwise they are refused.
    public var includesTombstones = false
    /// Whether version and stamp are renewed even if nothing is set (v3, and every undelete).
    public var renewsAlways = false

    /// Whether columns that aren't set become null: those that the table has when the row is written (v3's PUT),
    /// including a column that another server added a moment ago.
    public var replaces = false

    /// Creates an update that sets columns of a live row.
    public init(_ properties: [Property] = []) {
        self.properties = properties
    }

    /// An update that makes a tombstone a live row again; a row that is already live gets a new version and stamp too.
    public static var undelete: RowUpdate {
        var update = RowUpdate()
        update.deleted = false
        update.includesTombstones = true
        update.renewsAlways = true
        return update
    }

    /// Returns whether the row of such a table is only read.
    public func changesNothing(in table: Table) -> Bool {
        properties.isEmpty && !renewsAlways && !replaces && (deleted == nil || !table.rules.softDelete)
    }
}
