public import OData
public import Scalars
public import Tables

extension RowWrite {
    /// Returns the statement that writes the row if its precondition holds, and returns it; nil if that can't hold.
    /// - Parameter renewal: the row's new version and stamp; nil if the write removes it completely.
    /// - Throws: an error in the scope.
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

    /// Returns the statement that finds the row in the way, with the columns of `findTells`; nil if there is no id to
    /// look for.
    /// - Parameter now: the stamp that a new row would have had.
    /// - Throws: an error in the scope.
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

    /// What the columns of that statement after the row's own tell.
    public var findTells: RowStateColumns {
        action == .insert && scope != nil ? .isInScopeAndWritable : RowStateColumns(writingIn: scope)
    }
}
