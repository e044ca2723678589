/// A write of one row, as it is asked for.
///
/// One that has a receipt is recognized while its window lasts. If it is sent again, it is answered as the first time,
/// instead of with a refusal, if its row is still exactly as the first one left it. One that should be done once is
/// answered that way before anything else, and never done again.
public struct RowWrite: Sendable {
    /// What it does to the row.
    public enum Action: Sendable {
        /// Makes it. In a table that numbers its own rows there is no id yet.
        case insert
        /// Changes it. If the update sets nothing, nothing is renewed and the row is returned as it is.
        case update
        /// Makes a live row a tombstone, or removes it if the table has no soft delete. The row is returned as it is
        /// after the former, and as it was before the latter.
        case delete
    }

    /// What it does to the row.
    public let action: Action
    /// The row's table.
    public let table: Identifier
    /// nil for an insert into a table that numbers its rows.
    public let id: RowID?
    /// What is set, also by an insert.
    public let update: RowUpdate
    /// What that comes to in a table that may be older than the current one; nil where nothing is set, and before it is
    /// known.
    public private(set) var changes: RowChanges?
    /// What has to hold for the row's version.
    public let precondition: Precondition
    /// The rows that the caller may see and write; nil for all.
    public let scope: RowScope?
    /// By what the write is known again; nil if it isn't.
    public let receipt: WriteReceipt?

    /// Takes what is asked for.
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

    /// Inserts a row of a definition into its new table.
    /// - Throws: why it can't be one of the table's.
    public init(seed members: [Property], into table: Table) throws(TableError) {
        let row = try SeedRow(members, for: table)
        self.init(.insert, of: row.id, in: table.name, RowUpdate(row.properties))
        _ = try check(in: table)
    }

    /// Finds out what the write sets in a table.
    /// - Returns: false if no row of the table can have the id.
    /// - Throws: what is wrong with the values, or with the id of a new row.
    public mutating func check(in table: Table) throws(TableError) -> Bool {
        let fits = id.map { $0.fits(table) } ?? (action == .insert && table.rules.autoIncrement)
        if action == .insert, !fits {
            throw .failed(detail: "an insert into \(table.name) without an id of its kind")
        }
        if action != .delete { changes = try table.changes(from: update.properties, for: action) }
        return fits
    }

    /// What to write by the table as it stands: another write may have made the columns since, perhaps of another type,
    /// or another program dropped some.
    public func changes(by table: Table) throws(TableError) -> RowChanges? {
        guard let changes, update.replaces || !table.hasAll(of: changes) else { return changes }
        if action == .insert { return try table.changes(from: update.properties, for: .insert) }
        return try table.changes(for: update)
    }

    /// What the write demands of its row.
    public var demand: WriteDemand {
        switch action {
        case .insert: .insert
        case .update: .update(if: precondition, includesTombstones: update.includesTombstones)
        case .delete: .delete(if: precondition)
        }
    }

    /// Whether the row of such a table is only read.
    public func changesNothing(in table: Table) -> Bool { action == .update && update.changesNothing(in: table) }
}
