import Tables

/// The result of a write inside a batch.
struct BatchWriteResult {
    let outcome: WriteOutcome
    /// nil if no row is returned.
    let row: RowCopy?
    /// The version of the returned row; nil if there is none.
    let version: Version?

    init(_ outcome: WriteOutcome, _ found: FoundRow?) {
        let shown = outcome.showsRow ? found : nil
        self.outcome = outcome
        row = shown?.row
        version = shown?.state.version
    }
}

/// The result of a write for its caller.
struct SQLiteRowWriteResult {
    let outcome: WriteOutcome
    /// nil if no row is returned.
    let row: RowCopy?
    /// Whether this is the result of an earlier write, and nothing was done now.
    let isRepeat: Bool
}

extension SQLiteRowWriteResult {
    init(_ done: BatchWriteResult) {
        self.init(outcome: done.outcome, row: done.row, isRepeat: false)
    }

    /// Returns the result with a visitor that has seen the row.
    func result<Row: RowVisitor>(into visitor: Row) -> WriteResult<Row> {
        WriteResult(outcome, row?.visited(by: visitor) ?? visitor, isRepeat: isRepeat)
    }
}
