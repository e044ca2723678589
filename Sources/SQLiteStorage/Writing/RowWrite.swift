import Tables

/// A write of one row, as it was asked for.
struct RowWrite: Sendable {
    /// The changes are computed from the properties and a table that may be older than the current one.
    enum Action: Sendable {
        case insert(RowChanges, from: [Property], id: RowID?, deleted: Bool)
        case update(RowID, RowChanges, RowUpdate, if: Precondition)
        case delete(RowID, if: Precondition)
    }

    let action: Action
    let table: Identifier
    let scope: RowScope?
    let receipt: WriteReceipt?

    /// What the write demands of its row.
    var demand: WriteDemand {
        switch action {
        case .insert: .insert
        case .update(_, _, let update, let precondition):
            .update(if: precondition, includesTombstones: update.includesTombstones)
        case .delete(_, let precondition): .delete(if: precondition)
        }
    }
}

/// What became of a write inside a batch.
struct DoneWrite<Row: RowVisitor> {
    let outcome: WriteOutcome
    let row: Row
    /// That of the row that is answered; nil where there is none.
    let version: Version?

    /// - Parameter unseen: what is answered where no row is, or none that may be seen.
    init(_ outcome: WriteOutcome, _ found: FoundRow<Row>?, unseen: Row) {
        let shown = outcome.showsRow ? found : nil
        self.outcome = outcome
        row = shown?.row ?? unseen
        version = shown?.state.version
    }
}
