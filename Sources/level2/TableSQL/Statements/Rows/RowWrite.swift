public import OData
public import Scalars
public import Tables

extension RowWrite {
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
