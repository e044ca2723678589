import OData
import Synchronization
import Tables

@testable import StorageTesting

/// What a store has to be at least: arrays of rows that it finds, puts and shows. What may be written, how a write is
/// refused and what a repeat is answered it asks `Tables`, as the databases do.
final class ToyStore: TableStore {
    private let state = Mutex(ToyState())
    private let clock: Clock

    init(_ definitions: [TableDefinition], clock: @escaping Clock) throws(TableError) {
        self.clock = clock
        for definition in definitions {
            try definition.check()
            let table = try SchemaPlan(definition, for: .configuration, registered: nil, found: nil).table
            state.withLock { $0.tables[table.name] = ToyTable(table) }
        }
    }

    func table(named name: Identifier) -> Table? { state.withLock { $0.tables[name]?.table } }
    func tables() -> [Table] { state.withLock { $0.tables.values.map(\.table) } }
    func continuationKey() async throws(TableError) -> [UInt8] { Array(repeating: 1, count: 32) }
    func ping() async throws(TableError) {}

    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        guard let table = table(named: definition.name) else { throw .tooManyClientTables(limit: 0) }
        return table
    }

    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        let fields = try ReferenceStore.fields(select, of: table)
        guard let found = state.withLock({ $0.tables[table.name]?.row(id) }), scope?.holds(found, of: table) ?? true,
            includeDeleted || !found.isDeleted
        else { return nil }
        return ReferenceStore.visited(found, fields, row)
    }

    /// Lists whole tables, as far as the visitor goes.
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        var (rows, all) = (rows, state.withLock { $0.tables[table.name]?.rows ?? [] })
        rows.begin(table.fields)
        for row in all.prefix(query.limit) { row.visit(table.fields, into: &rows) }
        return Page(
            rows: rows, rowCount: min(all.count, query.limit), hasMore: all.count > query.limit, totalCount: nil)
    }

    func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        guard id.map({ $0.fits(table) }) ?? table.rules.autoIncrement else { throw .failed(detail: "no such id") }
        return try write(.insert, id, scope, receipt, to: table, row) { stored, _, renewal throws(TableError) in
            let id = id ?? .integer(stored.lastNumber + 1)
            if case .integer(let number) = id { stored.lastNumber = max(stored.lastNumber, number) }
            var new = ReferenceRow(
                id: id, createdAt: renewal.stamp, updatedAt: renewal.stamp, version: renewal.version)
            new.isDeleted = deleted && stored.table.rules.softDelete
            stored.apply(try stored.table.changes(from: properties, for: .insert), to: &new)
            return new
        }
    }

    func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let demand = WriteDemand.update(if: precondition, includesTombstones: update.includesTombstones)
        return try write(demand, id, scope, receipt, to: table, row) { stored, found, renewal throws(TableError) in
            let changes = try stored.table.changes(for: update)
            guard var new = found, !update.changesNothing(in: stored.table) else { return found }
            (new.version, new.updatedAt) = renewal
            if stored.table.rules.softDelete { new.isDeleted = update.deleted ?? new.isDeleted }
            stored.apply(changes, to: &new)
            return new
        }
    }

    func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?, in table: Table,
        into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try write(.delete(if: precondition), id, scope, receipt, to: table, row) { stored, found, renewal in
            guard var new = found, stored.table.rules.softDelete else { return nil }
            (new.version, new.updatedAt) = renewal
            new.isDeleted = true
            return new
        }
    }

    func recall<Row: RowVisitor>(
        _ write: RepeatableWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        let (found, kept) = state.withLock { state in
            (state.tables[table.name]?.row(write.id), state.kept(write.receipt, now: clock()))
        }
        let standing = found.map { RowState(of: $0, in: write.scope, of: table, becoming: $0) }
        let answer = kept?.answer(to: write, found: standing, in: table.rules)
        return answer.flatMap { $0.result(found, of: table, row) }
    }

    /// Does a write as far as it may be done.
    /// - Parameter change: what the row becomes; nil where nothing is left of it.
    private func write<Row: RowVisitor>(
        _ demand: WriteDemand, _ id: RowID?, _ scope: RowScope?, _ receipt: WriteReceipt?, to table: Table, _ row: Row,
        _ change: (inout ToyTable, ReferenceRow?, ToyRenewal) throws(TableError) -> ReferenceRow?
    ) throws(TableError) -> WriteResult<Row> {
        let now = clock()
        return try state.withLock { state throws(TableError) in
            guard let stored = state.tables[table.name] else { throw .failed(detail: "no table \(table.name)") }
            let (found, kept) = (stored.row(id), state.kept(receipt, now: now))
            if receipt?.isOnce == true, let again = kept?.once.flatMap({ $0.result(found, of: stored.table, row) }) {
                return again
            }
            var draft = stored
            draft.lastStamp = Stamp.next(after: stored.lastStamp, now: now)
            let version = Version(counter: state.lastVersion + 1)
            let new = try change(&draft, found, (version, draft.lastStamp))
            let standing = found.map {
                RowState(of: $0, in: scope, of: draft.table, becoming: demand == .insert ? new ?? $0 : $0)
            }
            if let refusal = try WriteVerdict(on: demand, found: standing, in: table.rules).refusal() {
                let shown = refusal.showsRow ? found : nil
                let again = kept?.answer(inPlaceOf: refusal, of: shown?.version)
                return again.flatMap { $0.result(shown, of: stored.table, row) }
                    ?? WriteResult(refusal, ReferenceStore.visited(shown, stored.table.fields, row))
            }
            if let new, !(scope?.allowsWriting(new, of: draft.table) ?? true) {
                throw WriteVerdict.nothingWritten(to: table.name, in: scope)
            }
            if let index = id.flatMap({ draft.index(of: $0) }) { draft.rows.remove(at: index) }
            if let new { draft.rows.append(new) }
            state.tables[table.name] = draft
            state.lastVersion = version.counter
            if let receipt, let version = (new ?? found)?.version {
                let record =
                    receipt.keepsRecord(of: demand, in: table.rules)
                    ? ReferenceStore.visited(new ?? found, draft.table.fields, RowRecord()) : nil
                let kept = IdempotencyRecord(of: demand, in: table.rules, version: version, record: record)
                state.receipts[receipt.key] = (kept, now)
            }
            return WriteResult(.written, ReferenceStore.visited(new ?? found, draft.table.fields, row))
        }
    }
}
