public import OData
public import Scalars
public import Tables

/// A write of one row, as it was asked for.
public struct RowWrite: Sendable {
    /// What it does to the row.
    public enum Action: Sendable {
        case insert, update, delete
    }

    /// What it does to the row.
    public let action: Action
    /// The row's table.
    public let table: Identifier
    /// nil for an insert into a table that numbers its rows.
    public let id: RowID?
    /// What is set, also by an insert.
    public let update: RowUpdate
    /// Computed from the update and a table that may be older than the current one; nil where nothing is set.
    public let changes: RowChanges?
    /// What has to hold for the row's version.
    public let precondition: Precondition
    /// The rows that the caller may see and write; nil for all.
    public let scope: RowScope?
    /// By what the write is known again; nil if it isn't.
    public let receipt: WriteReceipt?

    /// Takes what was asked for.
    public init(
        _ action: Action, of id: RowID?, in table: Identifier, _ update: RowUpdate = RowUpdate(),
        _ changes: RowChanges? = nil, if precondition: Precondition = .none, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil
    ) {
        self.action = action
        self.table = table
        self.id = id
        self.update = update
        self.changes = changes
        self.precondition = precondition
        self.scope = scope
        self.receipt = receipt
    }

    /// Inserts a row of a definition into its new table.
    /// - Throws: why it can't be one of the table's.
    public init(seed members: [Property], into table: Table) throws(TableError) {
        let row = try SeedRow(members, for: table)
        self.init(
            .insert, of: row.id, in: table.name, RowUpdate(row.properties),
            try table.changes(from: row.properties, for: .insert))
    }

    /// What the write demands of its row.
    public var demand: WriteDemand {
        switch action {
        case .insert: .insert
        case .update: .update(if: precondition, includesTombstones: update.includesTombstones)
        case .delete: .delete(if: precondition)
        }
    }

    /// What to write by the table as it stands: another write may have made the columns since, perhaps of another type,
    /// or another program dropped some.
    public func changes(by table: Table) throws(TableError) -> RowChanges? {
        guard let changes, update.replaces || !table.hasAll(of: changes) else { return changes }
        if action == .insert { return try table.changes(from: update.properties, for: .insert) }
        return try table.changes(for: update)
    }

    /// The statement that writes the row where its precondition holds, and answers it; nil where that can't hold.
    /// - Parameter renewal: what the row gets; nil where the write leaves nothing of it.
    /// - Throws: what is wrong with the scope.
    public func statement(
        _ changes: RowChanges?, _ renewal: VersionBump?, in table: Table, dialect: any SQLDialect
    ) throws(QueryError) -> SQLText? {
        if action == .insert, let renewal {
            return try InsertStatement(newRow(changes, renewal, in: table), scope: scope, into: table, dialect: dialect)
                .sql
        }
        guard let id, precondition != .unmatchable else { return nil }
        var target = RowTarget(id, includesTombstones: update.includesTombstones, scope: scope)
        if case .version(let wanted) = precondition { target.version = wanted }
        guard let renewal else { return try HardDeleteStatement(target, in: table, dialect: dialect).sql }
        return try UpdateStatement(
            target, set: changes?.assignments ?? [], deleted: action == .delete ? true : update.deleted,
            renewal: renewal, in: table, dialect: dialect
        ).sql
    }

    private func newRow(_ changes: RowChanges?, _ renewal: VersionBump, in table: Table) -> NewRow {
        NewRow(changes?.assignments ?? [], id: id, deleted: update.deleted == true, renewal: renewal, in: table)
    }

    /// The statement that finds the row that stands in the way, and tells what `findTells` says; nil where there is no
    /// id to look for.
    /// - Parameter now: the stamp that a new row would have had.
    /// - Throws: what is wrong with the scope.
    public func findStatement(
        _ changes: RowChanges?, in table: Table, now: Instant, dialect: any SQLDialect
    ) throws(QueryError) -> SQLText? {
        guard let id else { return nil }
        if action == .insert, let scope {
            let renewal = VersionBump(version: Version(counter: 0), stamp: now)
            return try FindStatement(
                takenBy: id, from: newRow(changes, renewal, in: table), scope: scope, in: table, dialect: dialect
            ).sql
        }
        let target = RowTarget(id, includesTombstones: true, scope: scope)
        return try FindStatement(writing: target, in: table, dialect: dialect).sql
    }

    /// What the columns of that statement tell that follow the row's.
    public var findTells: RowStateColumns {
        action == .insert && scope != nil ? .isInScopeAndWritable : RowStateColumns(writingIn: scope)
    }
}
