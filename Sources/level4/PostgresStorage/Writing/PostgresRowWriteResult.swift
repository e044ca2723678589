import Tables

/// The outcome of a write, with the row that it is about.
struct PostgresRowWriteResult {
    /// The source of the row.
    enum Source {
        /// One row, or none if the outcome is `missing`; if it is `taken`, the row isn't shown.
        case result(PostgresResult)
        case record(RowRecord)
    }

    let outcome: WriteOutcome
    /// The table whose fields the row has.
    let table: Table
    let source: Source
    /// Whether this is the result of an earlier write, and nothing was done now.
    var isRepeat = false

    init(_ outcome: WriteOutcome, of table: Table, _ result: PostgresResult) {
        self.outcome = outcome
        self.table = table
        source = .result(result)
    }

    /// Creates the answer to a repeated write; nil if that needs a row that wasn't found.
    init?(_ answer: IdempotencyRecord.Answer, found: Source?, of table: Table) {
        switch answer {
        case .record(let record): self.init(repeating: .record(record), of: table)
        case .foundRow:
            guard let found else { return nil }
            self.init(repeating: found, of: table)
        }
    }

    /// Creates the answer to a repeated write.
    init(repeating source: Source, of table: Table) {
        outcome = .written
        self.table = table
        self.source = source
        isRepeat = true
    }

    /// The version of the row; nil if there is none to show.
    var version: Version? {
        guard outcome.showsRow, case .result(let result) = source else { return nil }
        return result.version
    }

    /// Returns a visitor after it has seen the row, if there is one to show.
    func visited<Row: RowVisitor>(by row: Row) -> Row {
        guard outcome.showsRow else { return row }
        var seen = row
        switch source {
        case .result(let result): result.visit(table.layout, into: &seen)
        case .record(let record): seen = record.visited(by: row) ?? row
        }
        return seen
    }
}

extension PostgresRowWriteResult {
    /// Returns the earlier answer if the refusal would be wrong; nil if it is right.
    func repeated(by kept: IdempotencyRecord) -> PostgresRowWriteResult? {
        kept.answer(inPlaceOf: outcome, of: version).flatMap { PostgresRowWriteResult($0, found: source, of: table) }
    }
}
