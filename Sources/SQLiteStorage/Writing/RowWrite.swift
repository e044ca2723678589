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

    /// Whether nothing is left of the row.
    func removesRow(of table: Table) -> Bool {
        if case .delete = action { !table.rules.softDelete } else { false }
    }
}

/// What became of a write inside a batch.
struct DoneWrite<Row: RowVisitor> {
    let outcome: WriteOutcome
    let row: Row
    /// That of the row that the outcome speaks of; nil where there is none.
    let version: Version?

    init(_ outcome: WriteOutcome, _ found: FoundRow<Row>) {
        self.outcome = outcome
        row = found.row
        version = found.version
    }

    init(_ outcome: WriteOutcome, _ row: Row) {
        self.outcome = outcome
        self.row = row
        version = nil
    }
}
