import Tables

/// What became of a write inside a batch.
struct BatchWriteResult {
    let outcome: WriteOutcome
    /// nil where no row is answered.
    let row: RowCopy?
    /// That of the row that is answered; nil where there is none.
    let version: Version?

    init(_ outcome: WriteOutcome, _ found: FoundRow?) {
        let shown = outcome.showsRow ? found : nil
        self.outcome = outcome
        row = shown?.row
        version = shown?.state.version
    }
}

/// What a write is answered with.
struct RowWriteResult {
    let outcome: WriteOutcome
    /// nil where no row is answered.
    let row: RowCopy?
    /// Whether nothing was done now.
    let isRepeat: Bool
}

extension RowWriteResult {
    init(_ done: BatchWriteResult) {
        self.init(outcome: done.outcome, row: done.row, isRepeat: false)
    }

    /// The answer with a visitor that has seen the row.
    func result<Row: RowVisitor>(into visitor: Row) -> WriteResult<Row> {
        WriteResult(outcome, row?.visited(by: visitor) ?? visitor, isRepeat: isRepeat)
    }
}
