import OData
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
        guard let changes, update.replaces || !changes.newColumns.isEmpty else { return changes }
        if action == .insert { return try table.changes(from: update.properties, for: .insert) }
        return try table.changes(for: update)
    }

    /// The statement that writes the row where its precondition holds, and answers it; nil where that can't hold.
    /// - Throws: what is wrong with the scope.
    func statement(_ changes: RowChanges?, _ renewal: Renewal, in table: Table) throws(QueryError) -> SQLText? {
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

    private func newRow(_ changes: RowChanges?, _ renewal: Renewal, in table: Table) -> NewRow {
        NewRow(changes?.assignments ?? [], id: id, deleted: update.deleted == true, renewal: renewal, in: table)
    }

    /// The statement that finds the row that stands in the way; nil where there is no id to look for.
    /// - Parameter now: the stamp that a new row would have had.
    /// - Throws: what is wrong with the scope.
    func findStatement(in table: Table, now: Instant) throws(QueryError) -> SQLText? {
        guard let id else { return nil }
        if action == .insert, let scope {
            let renewal = Renewal(version: Version(counter: 0), stamp: now)
            return try FindStatement(
                takenBy: id, from: newRow(changes, renewal, in: table), scope: scope, in: table,
                dialect: PostgresDialect()
            ).sql
        }
        let target = RowTarget(id, includesTombstones: true, scope: scope)
        return try FindStatement(writing: target, in: table, dialect: PostgresDialect()).sql
    }

    /// Why the row can't be written, by what was found; nil where it can.
    func refusal(found result: PostgresResult, in table: Table) -> Result<WrittenRow, TableError>? {
        /// What a column behind the row's own says, which is there where the scope asks for it.
        func isTold(_ column: Int) -> Bool { result.boolean(0, table.fields.count + column) }
        var outcome: WriteOutcome?
        if action != .insert {
            if scope?.writable != nil, result.rowCount > 0, !isTold(0) { return .failure(.outsideScope) }
            outcome = result.refusal(if: precondition, in: table, allowsTombstone: update.includesTombstones)
        } else if result.rowCount > 0 {
            outcome = scope == nil || isTold(0) ? .duplicate : .taken
            if outcome == .taken, !isTold(1) { return .failure(.outsideScope) }
        }
        return outcome.map { .success(WrittenRow($0, of: table, result)) }
    }

    /// What became of the write where it wrote nothing, by what was found; nil where there was no id to look for.
    func outcome(found result: PostgresResult?, in table: Table) -> Result<WrittenRow, TableError> {
        if let result, let refusal = refusal(found: result, in: table) { return refusal }
        return .failure(scope == nil ? .failed(detail: "a write to \(table.name) wrote nothing") : .outsideScope)
    }

    /// An id that a table numbers its rows past.
    var explicitNumber: Int64? {
        if action == .insert, case .integer(let number) = id { number } else { nil }
    }
}

/// What became of a write, with the row that it speaks of.
struct WrittenRow {
    /// Where the row is.
    enum Source {
        /// One row, or none where the outcome is `missing`; one that is not to be seen where it is `taken`.
        case result(PostgresResult)
        case record(RowRecord)
    }

    let outcome: WriteOutcome
    /// The table whose fields the row has.
    let table: Table
    let source: Source
    /// Whether the write was done before, and nothing now.
    var isRepeat = false

    init(_ outcome: WriteOutcome, of table: Table, _ result: PostgresResult) {
        self.outcome = outcome
        self.table = table
        source = .result(result)
    }

    /// The answer of a write that was done before.
    init(repeating source: Source, of table: Table) {
        outcome = .written
        self.table = table
        self.source = source
        isRepeat = true
    }

    var isVisible: Bool { outcome != .missing && outcome != .taken }

    /// The version of the row; nil where there is none to be seen.
    var version: Version? {
        guard isVisible, case .result(let result) = source else { return nil }
        return result.version
    }

    /// A visitor after it has seen the row, where there is one to be seen.
    func visited<Row: RowVisitor>(by row: Row) -> Row {
        guard isVisible else { return row }
        var seen = row
        switch source {
        case .result(let result): result.visit(table.fields, into: &seen)
        case .record(let record): seen = record.visited(by: row) ?? row
        }
        return seen
    }
}

/// A write whose caller waits.
struct PendingWrite: Sendable {
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
                    WriteResult(written.outcome, written.visited(by: row), isRepeat: written.isRepeat)
                })
        }
        refuse = { continuation.resume(returning: .failure($0)) }
    }
}
