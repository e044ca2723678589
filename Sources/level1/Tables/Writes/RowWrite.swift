/// A requested write of one row.
///
/// A write with a receipt is recognized within its window. If it is sent again and its row is still exactly as the
/// first one left it, it is answered like the first time, instead of with a refusal. A write that should be done once
/// is answered that way before anything else, and never done again.
public struct RowWrite: Sendable {
    /// The kinds of writes.
    public enum Action: Sendable {
        /// Inserts the row. In a table that numbers its rows there is no id yet.
        case insert
        /// Updates the row. If the update sets nothing, nothing is renewed and the row is returned as it is.
        case update
        /// Makes a live row a tombstone, or removes it if the table has no soft delete. The tombstone is returned, or
        /// the row as it was before its removal.
        case delete
    }

    /// The kind of write.
    public let action: Action
    /// The row's table.
    public let table: Identifier
    /// The row's id; nil for an insert into a table that numbers its rows.
    public let id: RowID?
    /// The values to set, also for an insert.
    public let update: RowUpdate
    /// The update as changes of a table that may be older than the current one; nil if nothing is set, and before
    /// `check`.
    public private(set) var changes: RowChanges?
    /// The condition on the row's version.
    public let precondition: Precondition
    /// The rows that the caller may see and write; nil for all.
    public let scope: RowScope?
    /// Identifies repeats of the write; nil if they aren't recognized.
    public let receipt: WriteReceipt?

    /// Creates a write.
    public init(
        _ action: Action, of id: RowID?, in table: Identifier, _ update: RowUpdate = RowUpdate(),
        if precondition: Precondition = .none, scope: RowScope? = nil, receipt: WriteReceipt? = nil
    ) {
        self.action = action
        self.table = table
        self.id = id
        self.update = update
        self.precondition = precondition
        self.scope = scope
        self.receipt = receipt
    }

    /// Creates an insert of a definition's row into its new table.
    /// - Throws: why the row isn't valid in the table.
    public init(seed members: [Property], into table: Table) throws(TableError) {
        let row = try SeedRow(members, for: table)
        self.init(.insert, of: row.id, in: table.name, RowUpdate(row.properties))
        _ = try check(in: table)
    }

    /// Determines what the write sets in a table.
    /// - Returns: false if no row of the table can have the id.
    /// - Throws: an error about the values, or about the id of a new row.
    public mutating func check(in table: Table) throws(TableError) -> Bool {
        let fits = id.map { $0.fits(table) } ?? (action == .insert && table.rules.autoIncrement)
        if action == .insert, !fits {
            throw .failed(detail: "an insert into \(table.name) without an id of its kind")
        }
        if action != .delete { changes = try table.changes(from: update.properties, for: action) }
        return fits
    }

    /// Returns the changes for the table's current state: another write may have added the columns since, perhaps with
    /// another type, or another program dropped some.
    public func changes(by table: Table) throws(TableError) -> RowChanges? {
        guard let changes, update.replaces || !table.hasAll(of: changes) else { return changes }
        if action == .insert { return try table.changes(from: update.properties, for: .insert) }
        return try table.changes(for: update)
    }

    /// The write's demand on its row.
    public var demand: WriteDemand {
        switch action {
        case .insert: .insert
        case .update: .update(if: precondition, includesTombstones: update.includesTombstones)
        case .delete: .delete(if: precondition)
        }
    }

    /// Returns whether the row of such a table is only read.
    public func changesNothing(in table: Table) -> Bool { action == .update && update.changesNothing(in: table) }
}
