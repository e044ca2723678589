import OData
import Scalars
import TableSQL
import Tables

extension RowWrite {
    /// Returns the statement that writes the row and returns it with the relation of its table.
    func statement(_ changes: RowChanges?, _ renewal: VersionBump, in table: Table) throws(QueryError) -> SQLText? {
        let renewal = demand.removesRow(by: table.rules) ? nil : renewal
        return try statement(changes, renewal, in: table, dialect: PostgresDialect())?.returningRelation(of: table)
    }

    /// Returns the statement that finds the row that may prevent the write, with the relation of its table.
    func findStatement(in table: Table, now: Instant) throws(QueryError) -> SQLText? {
        try findStatement(changes, in: table, now: now, dialect: PostgresDialect())?.withRelation(of: table)
    }

    /// Returns why the row can't be written, by the result of `findStatement`; nil if it can.
    func refusal(found result: PostgresResult, in table: Table) -> Result<PostgresRowWriteResult, TableError>? {
        let found = result.rowState(of: table, telling: findTells)
        switch WriteVerdict(on: demand, found: found, in: table.rules) {
        case .allowed: return nil
        case .refused(let outcome): return .success(PostgresRowWriteResult(outcome, of: table, result))
        case .failed(let error): return .failure(error)
        }
    }

    /// Returns the outcome of a write that wrote nothing, by the row found; nil if there was no id to look for.
    func outcome(found result: PostgresResult?, in table: Table) -> Result<PostgresRowWriteResult, TableError> {
        if let result, let refusal = refusal(found: result, in: table) { return refusal }
        return .failure(WriteVerdict.nothingWritten(to: table.name, in: scope))
    }

    /// An explicit id, past which the table has to continue its numbers.
    var explicitNumber: Int64? {
        if action == .insert, case .integer(let number) = id { number } else { nil }
    }
}

/// A write whose caller is waiting.
struct PostgresPendingWrite: Sendable {
    let write: RowWrite
    /// Tells the caller the outcome of the write, after its commit.
    let deliver: @Sendable (Result<PostgresRowWriteResult, TableError>) -> Void
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
