import OData
import TableSQL
import Tables

/// The end of a transaction, and the outcomes of its writes.
extension WriteTransaction {
    /// Commits, after finding out why rows weren't written if that isn't known yet.
    /// - Returns: the outcome of each write.
    func commit() throws(PostgresFailure) -> [Result<PostgresRowWriteResult, TableError>] {
        var batch = StatementBatch()
        batch.add(keepReceipts())
        let questions = ask(in: &batch)
        let commit = batch.add(.commit) { $0.command }
        mayBeCommitted = true
        let answers = try batch.run(on: connection)
        guard answers[commit] == "COMMIT" else {
            throw .lost(detail: "the commit was answered with \(answers[commit])")
        }
        return settled(questions, by: answers)
    }

    /// Returns the outcome of each write, if the transaction was committed but the answer got lost.
    func outcomes(by connection: PostgresConnection) throws(PostgresFailure) -> [Result<
        PostgresRowWriteResult, TableError
    >] {
        var batch = StatementBatch()
        let questions = ask(in: &batch)
        return settled(questions, by: try batch.run(on: connection))
    }

    /// The queries about a write that wasn't done.
    private struct Question {
        let index: Int
        let table: Table
        /// The expected relation of the table; nil if it isn't known.
        let relation: Int64?
        /// The row that prevented it; nil if the reason for the refusal is known.
        let found: StatementBatch.Place<PostgresResult>?
        let kept: StatementBatch.Place<IdempotencyRecord?>?
    }

    /// Adds the statements that find out why writes weren't done, and whether they were done before.
    private func ask(in batch: inout StatementBatch) -> [Question] {
        var questions: [Question] = []
        for (index, write) in writes.enumerated() {
            guard let (table, relation) = table(of: write) else { continue }
            var found: StatementBatch.Place<PostgresResult>?
            if outcomes[index] == nil {
                do throws(QueryError) {
                    guard let find = try write.findStatement(in: table, now: now) else {
                        outcomes[index] = write.outcome(found: nil, in: table)
                        continue
                    }
                    found = batch.add(find)
                } catch {
                    outcomes[index] = .failure(TableError(error))
                    continue
                }
            } else if !isRefused(index) {
                continue
            }
            let kept = write.receipt.map { batch.add($0.find(now: now)) { IdempotencyRecord($0) } }
            questions.append(Question(index: index, table: table, relation: relation, found: found, kept: kept))
        }
        return questions
    }

    private func settled(
        _ questions: [Question], by answers: StatementBatch.Answers
    ) -> [Result<PostgresRowWriteResult, TableError>] {
        for question in questions {
            let index = question.index
            if let place = question.found {
                let found = answers[place]
                // The transaction is committed; if the table has changed since, the row has to be read again.
                outcomes[index] =
                    found.isOf(question.relation)
                    ? writes[index].outcome(found: found, in: question.table)
                    : .failure(.unavailable(detail: "\(question.table.name) has other columns by now"))
            }
            guard let place = question.kept, let kept = answers[place] else { continue }
            outcomes[index] = outcomes[index]?.map { $0.repeated(by: kept) ?? $0 }
        }
        return outcomes.map { $0 ?? .failure(.failed(detail: "a write without an outcome")) }
    }

    private func isRefused(_ index: Int) -> Bool {
        if case .success(let written)? = outcomes[index] { written.outcome != .written } else { false }
    }

    /// Returns the statements that store the records of the writes, and remove a few more old ones than that.
    private func keepReceipts() -> [SQLText] {
        var statements: [SQLText] = []
        var window: WriteReceipt?
        for (index, write) in writes.enumerated() {
            guard case .success(let written)? = outcomes[index],
                let keep = write.keepReceipt(of: written, now: now)
            else { continue }
            statements.append(keep)
            window = write.receipt
        }
        if let window, window.isTimed { statements.append(window.sweep(2 * statements.count + 8, now: now)) }
        return statements
    }
}
