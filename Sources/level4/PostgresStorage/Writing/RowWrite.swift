import OData
import Scalars
import TableSQL
import Tables

/// A write of one row, as it was asked for.
struct RowWrite: Sendable {
    enum Action {
        case insert, update, delete
    }

    let action: Action
    let table: Identifier
    /// nil for an insert into a table that numbers its rows.
    let id: RowID?
    /// What is set, also by an insert.
    var update = RowUpdate()
    /// Computed from the update and a table that may be older than the current one; nil where nothing is set.
    var changes: RowChanges?
    var precondition = Precondition.none
    var scope: RowScope?
    var receipt: WriteReceipt?

    /// What to write by the table as it stands.
    func changes(by table: Table) throws(TableError) -> RowChanges? {
        guard let changes, update.replaces || !table.hasAll(of: changes) else { return changes }
        if action == .insert { return try table.changes(from: update.properties, for: .insert) }
        return try table.changes(for: update)
    }

    /// The statement that writes the row where its precondition holds, and answers it with the relation that its table is;
    /// nil where that can't hold.
    /// - Throws: what is wrong with the scope.
    func statement(_ changes: RowChanges?, _ renewal: VersionBump, in table: Table) throws(QueryError) -> SQLText? {
        try writing(changes, renewal, in: table)?.returningRelation(of: table)
    }

    private func writing(_ changes: RowChanges?, _ renewal: VersionBump, in table: Table) throws(QueryError) -> SQLText?
    {
        let assignments = changes?.assignments ?? []
        let dialect = PostgresDialect()
        if action == .insert {
            return try InsertStatement(newRow(changes, renewal, in: table), scope: scope, into: table, dialect: dialect)
                .sql
        }
        guard let id, precondition != .unmatchable else { return nil }
        var target = RowTarget(id, includesTombstones: update.includesTombstones, scope: scope)
        if case .version(let wanted) = precondition { target.version = wanted }
        if action == .delete, !table.rules.softDelete {
            return try HardDeleteStatement(target, in: table, dialect: dialect).sql
        }
        let deleted = action == .delete ? true : update.deleted
        return try UpdateStatement(
            target, set: assignments, deleted: deleted, renewal: renewal, in: table, dialect: dialect
        ).sql
    }

    private func newRow(_ changes: RowChanges?, _ renewal: VersionBump, in table: Table) -> NewRow {
        NewRow(changes?.assignments ?? [], id: id, deleted: update.deleted == true, renewal: renewal, in: table)
    }

    /// The statement that finds the row that stands in the way, with the relation that its table is; nil where there is no
    /// id to look for.
    /// - Parameter now: the stamp that a new row would have had.
    /// - Throws: what is wrong with the scope.
    func findStatement(in table: Table, now: Instant) throws(QueryError) -> SQLText? {
        try finding(in: table, now: now)?.withRelation(of: table)
    }

    private func finding(in table: Table, now: Instant) throws(QueryError) -> SQLText? {
        guard let id else { return nil }
        if action == .insert, let scope {
            let renewal = VersionBump(version: Version(counter: 0), stamp: now)
            return try FindStatement(
                takenBy: id, from: newRow(changes, renewal, in: table), scope: scope, in: table,
                dialect: PostgresDialect()
            ).sql
        }
        let target = RowTarget(id, includesTombstones: true, scope: scope)
        return try FindStatement(writing: target, in: table, dialect: PostgresDialect()).sql
    }

    /// What the write demands of its row.
    var demand: WriteDemand {
        switch action {
        case .insert: .insert
        case .update: .update(if: precondition, includesTombstones: update.includesTombstones)
        case .delete: .delete(if: precondition)
        }
    }

    /// Why the row can't be written, by what `findStatement` answered; nil where it can.
    func refusal(found result: PostgresResult, in table: Table) -> Result<RowWriteResult, TableError>? {
        let telling = action == .insert && scope != nil ? .isInScopeAndWritable : RowStateColumns(writingIn: scope)
        let found = result.rowState(of: table, telling: telling)
        switch WriteVerdict(on: demand, found: found, in: table.rules) {
        case .allowed: return nil
        case .refused(let outcome): return .success(RowWriteResult(outcome, of: table, result))
        case .failed(let error): return .failure(error)
        }
    }

    /// What became of the write where it wrote nothing, by what was found; nil where there was no id to look for.
    func outcome(found result: PostgresResult?, in table: Table) -> Result<RowWriteResult, TableError> {
        if let result, let refusal = refusal(found: result, in: table) { return refusal }
        return .failure(WriteVerdict.nothingWritten(to: table.name, in: scope))
    }

    /// An id that a table numbers its rows past.
    var explicitNumber: Int64? {
        if action == .insert, case .integer(let number) = id { number } else { nil }
    }
}

/// A write whose caller waits.
struct PendingWrite: Sendable {
    let write: RowWrite
    /// Tells the caller what became of the write, after its commit.
    let deliver: @Sendable (Result<RowWriteResult, TableError>) -> Void
    let refuse: @Sendable (TableError) -> Void

    init<Row: RowVisitor>(
        _ write: RowWrite, into row: Row,
        _ continuation: CheckedContinuation<Result<WriteResult<Row>, TableError>, Never>
    ) {
        self.write = write
        deliver = { result in
            continuation.resume(
                returning: result.map { written in
                    WriteResult(written.outcome, written.visited(by: row), isRepeat: written.isRepeat)
                })
        }
        refuse = { continuation.resume(returning: .failure($0)) }
    }
}
