import Scalars
import Tables

extension ReferenceStore {
    func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let (id, update) = (write.id, write.update)
        switch write.action {
        case .insert:
            guard id.map({ $0.fits(table) }) ?? table.rules.autoIncrement else { throw .failed(detail: "no such id") }
            return try perform(write, on: table, row) { draft, _, renewal throws(TableError) in
                try draft.row(id, update.properties, deleted: update.deleted == true, renewal)
            }
        case .update:
            return try perform(write, on: table, row) { draft, found, renewal throws(TableError) in
                let changes = try draft.table.changes(for: update)
                guard var new = found, !update.changesNothing(in: draft.table) else { return found }
                (new.version, new.updatedAt) = renewal
                if draft.table.rules.softDelete { new.isDeleted = update.deleted ?? new.isDeleted }
                draft.apply(changes, to: &new)
                return new
            }
        case .delete:
            return try perform(write, on: table, row) { draft, found, renewal in
                guard var new = found, draft.table.rules.softDelete else { return nil }
                (new.version, new.updatedAt) = renewal
                new.isDeleted = true
                return new
            }
        }
    }

    func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        try access(table) { state, stored throws(TableError) in
            let (found, table) = (write.id.flatMap { stored.rows[$0] }, stored.table)
            let scope = try ReferenceScope(write.scope, of: table)
            let standing = found.map { scope.state(of: $0, for: write.demand, becoming: $0) }
            let answer = state.kept(write.receipt, now: clock())?.answer(to: write, found: standing, in: table.rules)
            return answer.flatMap { $0.result(found, of: table, row) }
        }
    }

    /// Does a write as far as it may be done, and keeps what its repeat is answered by.
    /// - Parameter change: what the row becomes; nil where nothing is left of it.
    private func perform<Row: RowVisitor>(
        _ write: RowWrite, on table: Table, _ row: Row,
        _ change: (inout ReferenceTable, ReferenceRow?, ReferenceRenewal) throws(TableError) -> ReferenceRow?
    ) throws(TableError) -> WriteResult<Row> {
        let (demand, id, scope, receipt, now) = (write.demand, write.id, write.scope, write.receipt, clock())
        return try access(table) { state, stored throws(TableError) in
            let (table, rules, found) = (stored.table, stored.table.rules, id.flatMap { stored.rows[$0] })
            let kept = state.kept(receipt, now: now)
            if receipt?.isOnce == true, let again = kept?.once.flatMap({ $0.result(found, of: table, row) }) {
                return again
            }
            var (draft, lastVersion) = (stored, state.lastVersion)
            let new = try change(&draft, found, draft.renewal(&lastVersion, now: now))
            if new?.version.counter != lastVersion { draft.lastStamp = stored.lastStamp }
            let checked = try ReferenceScope(scope, of: draft.table)
            let standing = found.map { found in
                checked.state(of: found, for: demand, becoming: demand == .insert ? new ?? found : found)
            }
            if let refusal = try WriteVerdict(on: demand, found: standing, in: rules).refusal() {
                let shown = refusal.showsRow ? found : nil
                let again = kept?.answer(inPlaceOf: refusal, of: shown?.version)
                return again.flatMap { $0.result(shown, of: table, row) }
                    ?? WriteResult(refusal, shown?.shown(table.fields, to: row) ?? row)
            }
            draft.clientColumns += draft.table.columns.count - table.columns.count
            let limit = ClientLimits().columns
            if draft.clientColumns > limit { throw .tooManyClientColumns(limit: limit) }
            guard let answered = new ?? found, new.map(checked.allowsWriting) ?? true else {
                throw WriteVerdict.nothingWritten(to: table.name, in: scope)
            }
            draft.rows[answered.id] = new
            (stored, state.lastVersion) = (draft, lastVersion)
            let fields = draft.table.fields
            if let receipt {
                let record = receipt.keepsRecord(of: demand, in: rules) ? answered.shown(fields, to: RowRecord()) : nil
                let kept = IdempotencyRecord(of: demand, in: rules, version: answered.version, record: record)
                state.receipts[receipt.key] = (kept, now)
            }
            return WriteResult(.written, answered.shown(fields, to: row))
        }
    }
}

extension IdempotencyRecord.Answer {
    fileprivate func result<Row: RowVisitor>(
        _ found: ReferenceRow?, of table: Table, _ row: Row
    ) -> WriteResult<Row>? {
        switch self {
        case .foundRow: found.map { WriteResult(.written, $0.shown(table.fields, to: row), isRepeat: true) }
        case .record(let record): record.visited(by: row).map { WriteResult(.written, $0, isRepeat: true) }
        }
    }
}
