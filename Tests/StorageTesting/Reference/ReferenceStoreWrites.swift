import Scalars
import Synchronization
import Tables

extension ReferenceStore {
    func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try write(to: table, row) { state, stored, now throws(TableError) in
            switch id {
            case .integer where !table.rules.autoIncrement, .text where table.rules.autoIncrement,
                nil where !table.rules.autoIncrement:
                throw .failed(detail: "an insert without an id of the table's kind")
            default: break
            }
            let changes = try stored.table.changes(from: properties, for: .insert)
            if let id, let visible = stored.row(id, in: scope) { return (.duplicate, visible) }
            try stored.check(changes)
            let isTaken = id.flatMap { stored.row($0) } != nil
            var draft = stored
            let version = isTaken ? Version(counter: 0) : state.nextVersion()
            let written = draft.insert(id, changes, deleted: deleted, version: version, now: now)
            guard scope?.allowsWriting(written, of: draft.table) ?? true else { throw .outsideScope }
            if isTaken { return (.taken, nil) }
            stored = draft
            return (.written, written)
        }
    }

    func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try write(to: table, row) { state, stored, now throws(TableError) in
            let changes = try stored.table.changes(for: update)
            let refusal = try stored.refusal(
                of: id, if: precondition, scope: scope, allowsTombstone: update.includesTombstones)
            if let refusal { return refusal }
            try stored.check(changes)
            let keepsLife = update.deleted == nil || !stored.table.rules.softDelete
            if update.changesNothing(in: stored.table) { return (.written, stored.row(id)) }
            let written = stored.renew(id, version: state.nextVersion(), now: now) { table, row in
                table.apply(changes, to: &row)
                if !keepsLife { row.isDeleted = update.deleted == true }
            }
            guard let written, scope?.allowsWriting(written, of: stored.table) ?? true else { throw .outsideScope }
            return (.written, written)
        }
    }

    func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?, in table: Table,
        into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try write(to: table, row) { state, stored, now throws(TableError) in
            if let refusal = try stored.refusal(of: id, if: precondition, scope: scope) { return refusal }
            guard stored.table.rules.softDelete else { return (.written, stored.remove(id)) }
            return (.written, stored.renew(id, version: state.nextVersion(), now: now) { $1.isDeleted = true })
        }
    }

    /// It keeps no receipts.
    func recall<Row: RowVisitor>(
        _ write: RepeatableWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        nil
    }

    /// Runs a write alone, and shows its row to the visitor in the table's columns after it.
    private func write<Row: RowVisitor>(
        to table: Table, _ row: Row,
        _ body: (inout State, inout ReferenceTable, Instant) throws(TableError) -> (WriteOutcome, ReferenceRow?)
    ) throws(TableError) -> WriteResult<Row> {
        let now = clock()
        return try state.withLock { state throws(TableError) in
            guard var stored = state.tables[table.name] else { throw .failed(detail: "no table \(table.name)") }
            let (outcome, found) = try body(&state, &stored, now)
            state.tables[table.name] = stored
            return WriteResult(outcome, Self.visited(found, stored.table.fields, row))
        }
    }
}

extension ReferenceStore.State {
    mutating func nextVersion() -> Version {
        lastVersion += 1
        return Version(counter: lastVersion)
    }
}
