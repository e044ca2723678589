import Access
import Tables

// The writes with a program's hooks around what the table itself does.
extension TableOperations {
    /// Writes a new row.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    func hookedInsert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool = false, in admitted: AdmittedTable<Inserting>,
        _ call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let run = HookRun([.insert], of: id, in: admitted, call, self) else {
            return try await insertRow(
                properties, id: id, deleted: deleted, in: admitted, call, isHooked: false, into: row
            ).result
        }
        if let known = try await run.known(.insert, into: row) { return known }
        let properties = try await run.before(properties)
        return await run.after(
            try await insertRow(
                properties, id: id, deleted: deleted, in: admitted, call, isHooked: run.hearsOfRows, into: row))
    }

    /// Changes a row. One that makes it a tombstone or a live row is a delete or an undelete to the hooks as well.
    /// - Parameter life: what becomes of the row's life, whatever the update says of it; nil for nothing.
    func hookedUpdate<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, _ life: LifeChange? = nil, if precondition: Precondition,
        in admitted: AdmittedTable<Updating>, _ call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        var update = update
        update.deleted = life?.deleted
        let kinds: [Operation] = update.deleted.map { [.update, $0 ? .delete : .undelete] } ?? [.update]
        guard let run = HookRun(kinds, of: id, in: admitted, call, self) else {
            return try await updateRow(
                id, update, if: precondition, in: admitted, call, isHooked: false, into: row
            ).result
        }
        let kind = RepeatableWrite.Kind.update(includesTombstones: update.includesTombstones)
        if let known = try await run.known(kind, isChange: update.deleted != true, if: precondition, into: row) {
            return known
        }
        var changed = update
        changed.properties = try await run.before(update.properties)
        return await run.after(
            try await updateRow(
                id, changed, if: precondition, in: admitted, call, isHooked: run.hearsOfRows, into: row))
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    func hookedDelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Deleting>, _ call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let run = HookRun([.delete], of: id, in: admitted, call, self) else {
            return try await deleteRow(id, if: precondition, in: admitted, call, isHooked: false, into: row).result
        }
        if let known = try await run.known(.delete, if: precondition, into: row) {
            return known
        }
        _ = try await run.before([])
        return await run.after(
            try await deleteRow(
                id, if: precondition, in: admitted, call, isHooked: run.hearsOfRows, into: row))
    }

    /// Makes a tombstone a live row again.
    func hookedUndelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Undeleting>, _ call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let run = HookRun([.undelete], of: id, in: admitted, call, self) else {
            return try await undeleteRow(id, if: precondition, in: admitted, call, isHooked: false, into: row).result
        }
        if let known = try await run.known(.update(includesTombstones: true), if: precondition, into: row) {
            return known
        }
        _ = try await run.before([])
        return await run.after(
            try await undeleteRow(
                id, if: precondition, in: admitted, call, isHooked: run.hearsOfRows, into: row))
    }
}

/// The hooks of one write.
private struct HookRun {
    private let hooks: TableHooks
    private let kinds: [Operation]
    private let id: RowID?
    private let table: Table
    private let caller: Principal
    private let call: WriteCall
    private let operations: TableOperations

    /// - Returns: nil where the table has no hooks.
    init?<Right>(
        _ kinds: [Operation], of id: RowID?, in admitted: AdmittedTable<Right>, _ call: WriteCall,
        _ operations: TableOperations
    ) {
        guard let hooks = operations.hooks[admitted.table.name] else { return nil }
        self.hooks = hooks
        self.kinds = kinds
        self.id = id
        table = admitted.table
        caller = admitted.caller
        self.call = call
        self.operations = operations
    }

    private var tables: ServerTables { ServerTables(operations.withoutHooks, by: caller) }

    /// The answer to a write that its receipt answers, which no before-hook is to run for: a read, where there is such a
    /// hook and a receipt.
    /// - Parameter isChange: whether two clients of one installation may both have sent it, so that one alone wins.
    /// - Returns: nil where the write has to be made to know what comes of it.
    func known<Row: RowVisitor>(
        _ kind: RepeatableWrite.Kind, isChange: Bool = false, if precondition: Precondition = .none, into row: Row
    ) async throws(OperationError) -> WriteResult<Row>? {
        guard kinds.contains(where: { hooks.before[$0] != nil }) else { return nil }
        return try await operations.known(
            kind, of: id, isChange: isChange, if: precondition, in: table, for: caller, call, into: row)
    }

    /// - Returns: what is to be written.
    func before(_ properties: [Property]) async throws(OperationError) -> [Property] {
        var values = Record(properties)
        for kind in kinds {
            guard let steps = hooks.before[kind] else { continue }
            let change = TableChange(
                operation: kind, table: table.name.text, id: id?.text, caller: caller,
                attempt: call.attempt, values: values, tables: tables)
            do {
                values = try await withTaskExecutorPreference(operations.handlerThreads) {
                    var change = change
                    for step in steps { try await step(&change) }
                    return change.values
                }
            } catch let refusal as Refusal {
                throw .refused(refusal)
            } catch RowsError.operation(let error) {
                throw error
            } catch {
                throw .hook(detail: "before \(kind.rawValue) of \(table.name): \(ThrownError.words(error))")
            }
        }
        return values.properties
    }

    /// Whether one of them is told of the row that was written.
    var hearsOfRows: Bool { kinds.contains { hooks.after[$0] != nil } }

    /// Tells the hooks of the row where there was one to write.
    func after<Row: RowVisitor>(_ write: ObservedWrite<Row>) async -> WriteResult<Row> {
        if let record = write.record {
            for kind in kinds { await tell(kind, record) }
        }
        return write.result
    }

    private func tell(_ kind: Operation, _ record: Record) async {
        guard let steps = hooks.after[kind] else { return }
        let written = WrittenRow(
            operation: kind, table: table.name.text, caller: caller, row: record, tables: tables)
        let report = operations.report
        await withTaskExecutorPreference(operations.handlerThreads) {
            for step in steps {
                do {
                    try await step(written)
                } catch {
                    report("after \(kind.rawValue) of \(written.table): \(ThrownError.words(error))")
                }
            }
        }
    }
}
