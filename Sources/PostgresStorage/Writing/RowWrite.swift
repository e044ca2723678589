import TableSQL
import Tables

/// A write of one row, as it was asked for.
struct RowWrite: Sendable {
    enum Action {
        case insert, update, delete, undelete
    }

    let action: Action
    let table: Identifier
    /// nil for an insert into a table that numbers its rows.
    let id: RowID?
    var properties: [Property] = []
    /// Computed from the properties and a table that may be older than the current one; nil where nothing is set.
    var changes: RowChanges?
    var precondition = Precondition.none

    /// What to write by the table as it stands.
    func changes(by table: Table) throws(TableError) -> RowChanges? {
        guard let changes, !changes.newColumns.isEmpty else { return changes }
        return try table.changes(from: properties, for: action == .insert ? .insert : .update)
    }

    /// The statement that writes the row where its precondition holds, and answers it; nil where that can't hold.
    func statement(_ changes: RowChanges?, _ renewal: Renewal, in table: Table) -> SQLText? {
        let dialect = PostgresDialect()
        let assignments = changes?.assignments ?? []
        if action == .insert {
            return InsertStatement(assignments, id: id, renewal: renewal, into: table, dialect: dialect).sql
        }
        var version: Version?
        switch precondition {
        case .none: break
        case .version(let wanted): version = wanted
        case .unmatchable: return nil
        }
        guard let id else { return nil }
        switch action {
        case .update:
            return UpdateStatement(
                id, set: assignments, renewal: renewal, ifVersion: version, in: table, dialect: dialect
            ).sql
        case .undelete:
            return UndeleteStatement(id, renewal: renewal, ifVersion: version, in: table, dialect: dialect).sql
        case .insert, .delete:
            return table.rules.softDelete
                ? SoftDeleteStatement(id, renewal: renewal, ifVersion: version, in: table, dialect: dialect).sql
                : HardDeleteStatement(id, ifVersion: version, in: table, dialect: dialect).sql
        }
    }

    /// The statement that finds the row that stands in the way; nil where there is no id to look for.
    func findStatement(in table: Table) -> SQLText? {
        id.map { FindStatement($0, in: table, includeDeleted: true, dialect: PostgresDialect()).sql }
    }

    /// Why nothing was written, by what was found.
    func outcome(found result: PostgresResult, in table: Table) -> Result<WrittenRow, TableError> {
        var outcome: WriteOutcome?
        if action != .insert {
            outcome = result.refusal(if: precondition, in: table, allowsTombstone: action == .undelete)
        } else if result.rowCount > 0 {
            outcome = .duplicate
        }
        guard let outcome else { return .failure(.failed(detail: "a write to \(table.name) wrote nothing")) }
        return .success(WrittenRow(outcome: outcome, table: table, result: result))
    }

    /// An id that a table numbers its rows past.
    var explicitNumber: Int64? {
        if action == .insert, case .integer(let number) = id { number } else { nil }
    }
}

/// What became of a write, with the row that it speaks of.
struct WrittenRow {
    let outcome: WriteOutcome
    /// The table whose fields the row has.
    let table: Table
    /// One row, or none where the outcome is `missing`.
    let result: PostgresResult
}

/// A write whose caller waits.
struct PendingWrite: Refusable {
    let write: RowWrite
    /// Tells the caller what became of the write, after its commit.
    let deliver: @Sendable (Result<WrittenRow, TableError>) -> Void
    let refuse: @Sendable (TableError) -> Void

    init<Row: RowVisitor>(
        _ write: RowWrite, into row: Row,
        _ continuation: CheckedContinuation<Result<WriteResult<Row>, TableError>, Never>
    ) {
        self.write = write
        deliver = { result in
            continuation.resume(
                returning: result.map { written in
                    var row = row
                    if written.outcome != .missing { written.result.visit(written.table.fields, into: &row) }
                    return WriteResult(written.outcome, row)
                })
        }
        refuse = { continuation.resume(returning: .failure($0)) }
    }
}
