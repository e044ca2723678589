import OData
import Scalars
import TableSQL
import Tables

/// Writes of a transaction that share a round trip.
struct WriteSteps {
    /// The statements of one write.
    private struct Step {
        let index: Int
        let table: Table
        /// The expected relation of the table; nil if it isn't known.
        let relation: Int64?
        let written: StatementBatch.Place<PostgresResult>?
        let found: StatementBatch.Place<PostgresResult>?

        /// Checks the last column of an answer.
        func check(_ answer: PostgresResult) throws(PostgresFailure) {
            if answer.isOf(relation) { return }
            throw .refused(.staleCatalog, detail: "\(table.name) has other columns by now")
        }
    }

    private var batch = StatementBatch()
    private var steps: [Step] = []

    /// Adds a write.
    /// - Parameters:
    ///   - index: its index among the writes of the transaction.
    ///   - relation: the expected relation of the table; nil if it isn't known.
    ///   - findsRow: whether to read its row right after it; otherwise that can wait.
    /// - Throws: what is wrong with its scope.
    mutating func add(
        _ write: RowWrite, at index: Int, _ changes: RowChanges?, _ renewal: VersionBump, in table: Table,
        relation: Int64?, findsRow: Bool, now: Instant
    ) throws(QueryError) {
        let statement = try write.statement(changes, renewal, in: table)
        let find = findsRow ? try write.findStatement(in: table, now: now) : nil
        let written = statement.map { batch.add($0) }
        if let number = write.explicitNumber { batch.add(PostgresDialect().raiseNumber(to: number, of: table.name)) }
        let found = find.map { batch.add($0) }
        steps.append(Step(index: index, table: table, relation: relation, written: written, found: found))
    }

    /// Runs the added writes, and removes them.
    /// - Parameters:
    ///   - writes: all writes of the transaction.
    ///   - tell: receives the outcome of a write, if that is already known.
    /// - Throws: also if a table has other columns than expected: no answer may lack one.
    mutating func run(
        _ writes: [RowWrite], on connection: PostgresConnection,
        telling tell: (Int, Result<PostgresRowWriteResult, TableError>) -> Void
    ) throws(PostgresFailure) {
        let answers = try batch.run(on: connection)
        for step in steps {
            if let place = step.written, case let written = answers[place], written.rowCount > 0 {
                try step.check(written)
                tell(step.index, .success(PostgresRowWriteResult(.written, of: step.table, written)))
            } else if let place = step.found {
                try step.check(answers[place])
                tell(step.index, writes[step.index].outcome(found: answers[place], in: step.table))
            }
        }
        self = WriteSteps()
    }
}
