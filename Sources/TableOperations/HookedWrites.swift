public import Tables

// The writes as callers call them: hooks around what the table itself does.
extension TableOperations {
    /// Writes a new row.
    /// - Parameter id: nil in a table that numbers its own rows.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let hooks = hooks[table.name] else {
            return try await insertRow(properties, id: id, in: table, by: call, into: row)
        }
        let around = HookRun(hooks, .insert, id, table, call, self)
        let properties = try await around.before(properties)
        return try await around.after(row) { row throws(OperationError) in
            try await insertRow(properties, id: id, in: table, by: call, into: row)
        }
    }

    /// Sets columns of a row.
    public func update<Row: RowVisitor>(
        _ id: RowID, set properties: [Property], if precondition: Precondition, in table: Table, by call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let hooks = hooks[table.name] else {
            return try await updateRow(id, set: properties, if: precondition, in: table, by: call, into: row)
        }
        let around = HookRun(hooks, .update, id, table, call, self)
        let properties = try await around.before(properties)
        return try await around.after(row) { row throws(OperationError) in
            try await updateRow(id, set: properties, if: precondition, in: table, by: call, into: row)
        }
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let hooks = hooks[table.name] else {
            return try await deleteRow(id, if: precondition, in: table, by: call, into: row)
        }
        let around = HookRun(hooks, .delete, id, table, call, self)
        _ = try await around.before([])
        return try await around.after(row) { row throws(OperationError) in
            try await deleteRow(id, if: precondition, in: table, by: call, into: row)
        }
    }

    /// Makes a tombstone a live row again.
    public func undelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        guard let hooks = hooks[table.name] else {
            return try await undeleteRow(id, if: precondition, in: table, by: call, into: row)
        }
        let around = HookRun(hooks, .undelete, id, table, call, self)
        _ = try await around.before([])
        return try await around.after(row) { row throws(OperationError) in
            try await undeleteRow(id, if: precondition, in: table, by: call, into: row)
        }
    }
}

/// The hooks of one write.
private struct HookRun {
    let hooks: TableHooks
    let operation: Operation
    let id: RowID?
    let table: Table
    let call: WriteCall
    let operations: TableOperations

    init(
        _ hooks: TableHooks, _ operation: Operation, _ id: RowID?, _ table: Table, _ call: WriteCall,
        _ operations: TableOperations
    ) {
        self.hooks = hooks
        self.operation = operation
        self.id = id
        self.table = table
        self.call = call
        self.operations = operations
    }

    private var tables: ServerTables { ServerTables(operations.withoutHooks, by: call.caller) }

    /// - Returns: what is to be written.
    func before(_ properties: [Property]) async throws(OperationError) -> [Property] {
        guard let steps = hooks.before[operation] else { return properties }
        let change = TableChange(
            operation: operation, table: table.name.text, id: id?.text, caller: call.caller,
            values: Record(properties), tables: tables)
        do {
            // Off the event loop: what a program's own code does may take its time.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                var change = change
                for step in steps { try await step(&change) }
                return change.values.properties
            }
        } catch let refusal as Refusal {
            throw .refused(refusal)
        } catch let error as OperationError {
            throw error
        } catch {
            throw .hook(detail: "before \(operation.rawValue) of \(table.name): \(error)")
        }
    }

    /// Does the write, and tells the hooks of the row where there was one to write.
    func after<Row: RowVisitor>(
        _ row: Row, _ write: (Watched<Row>) async throws(OperationError) -> WriteResult<Watched<Row>>
    ) async throws(OperationError) -> WriteResult<Row> {
        let result = try await write(Watched(row))
        if result.outcome == .written, let steps = hooks.after[operation], let record = result.row.seen.records.last {
            let written = WrittenRow(
                operation: operation, table: table.name.text, caller: call.caller, row: record, tables: tables)
            let report = operations.report
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                for step in steps {
                    do {
                        try await step(written)
                    } catch {
                        report("after \(written.operation.rawValue) of \(written.table): \(error)")
                    }
                }
            }
        }
        return WriteResult(result.outcome, result.row.row)
    }
}
