import Access
import Tables

// A program's hooks around what the table itself does.
extension TableOperations {
    /// Performs a write with its hooks, which may change or refuse it beforehand and are told of it afterwards.
    func performHooked<Row: RowVisitor>(
        _ write: TableWrite, by hooks: TableHooks, into row: RowTee<Row>
    ) async throws(OperationError) -> WriteResult<RowTee<Row>> {
        let operations = write.operations
        var write = write
        if operations.contains(where: { hooks.before[$0] != nil }) {
            if let known = try await known(write, into: row) { return known }
            try await runHooks(hooks.before, operations, before: &write)
        }
        let isHeard = operations.contains { hooks.after[$0] != nil }
        let result = try await performStored(write, into: isHeard ? row.observed : row)
        if isHeard, let record = result.newRecord() { await runHooks(hooks.after, operations, after: write, record) }
        return result
    }

    private func runHooks(
        _ hooks: [Operation: [TableHooks.Before]], _ operations: [Operation], before write: inout TableWrite
    ) async throws(OperationError) {
        var values = Record(write.update.properties)
        for operation in operations {
            guard let steps = hooks[operation] else { continue }
            let change = TableChange(
                operation: operation, table: write.table.name.text, id: write.id?.text, caller: write.caller,
                attempt: write.attempt, values: values, tables: ServerTables(withoutHooks, by: write.caller))
            do {
                values = try await withTaskExecutorPreference(handlerThreads) {
                    var change = change
                    for step in steps { try await step(&change) }
                    return change.values
                }
            } catch let refusal as Refusal {
                throw .refused(refusal)
            } catch RowsError.operation(let error) {
                throw error
            } catch {
                let words = ThrownError.words(error)
                throw .hook(detail: "before \(operation.rawValue) of \(write.table.name): \(words)")
            }
        }
        if write.setsColumns { write.update.properties = values.properties }
    }

    private func runHooks(
        _ hooks: [Operation: [TableHooks.After]], _ operations: [Operation], after write: TableWrite, _ record: Record
    ) async {
        for operation in operations {
            guard let steps = hooks[operation] else { continue }
            let written = WrittenRow(
                operation: operation, table: write.table.name.text, caller: write.caller, row: record,
                tables: ServerTables(withoutHooks, by: write.caller))
            await withTaskExecutorPreference(handlerThreads) { [report] in
                for step in steps {
                    do {
                        try await step(written)
                    } catch {
                        report("after \(operation.rawValue) of \(written.table): \(ThrownError.words(error))")
                    }
                }
            }
        }
    }
}
