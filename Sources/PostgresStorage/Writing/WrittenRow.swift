import Tables

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

    /// The answer of a write that was done before, which is nil where it is a row that was not found.
    init?(_ answer: KeptReceipt.Answer, found: Source?, of table: Table) {
        switch answer {
        case .record(let record): self.init(repeating: .record(record), of: table)
        case .foundRow:
            guard let found else { return nil }
            self.init(repeating: found, of: table)
        }
    }

    /// The answer of a write that was done before.
    init(repeating source: Source, of table: Table) {
        outcome = .written
        self.table = table
        self.source = source
        isRepeat = true
    }

    /// The version of the row; nil where there is none to be seen.
    var version: Version? {
        guard outcome.showsRow, case .result(let result) = source else { return nil }
        return result.version
    }

    /// A visitor after it has seen the row, where there is one to be seen.
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

extension WrittenRow {
    /// The first answer, in place of a refusal that would be wrong; nil where the refusal is right.
    func repeated(by kept: KeptReceipt) -> WrittenRow? {
        kept.answer(inPlaceOf: outcome, of: version).flatMap { WrittenRow($0, found: source, of: table) }
    }
}
