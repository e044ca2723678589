import Access
import OData
import Tables

extension TableOperations {
    /// Writes a new row. It is the caller's own where the table's rows have owners.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    ///   - isHooked: whether hooks want the row that was written.
    func insertRow<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool, in admitted: AdmittedTable<Inserting>, _ call: WriteCall,
        isHooked: Bool, into row: Row
    ) async throws(OperationError) -> ObservedWrite<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        try check(properties, isWhole: true, in: table)
        let properties = owner(of: table, for: caller)?.owning(properties) ?? properties
        let observed = observed(row, .insert, table, isHooked: isHooked)
        let result = try await storing { () async throws(TableError) in
            try await store.insert(
                properties, id: id, deleted: deleted, scope: scope(of: table, for: caller), receipt: call.receipt,
                in: table, into: observed)
        }
        return finish(result, .insert, table, caller)
    }

    /// Changes a row. Its owner stays whose it is.
    func updateRow<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, in admitted: AdmittedTable<Updating>,
        _ call: WriteCall, isHooked: Bool, into row: Row
    ) async throws(OperationError) -> ObservedWrite<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        try check(update.properties, isWhole: false, in: table)
        var update = update
        if let owner = owner(of: table, for: caller) {
            // What takes the whole row's place would otherwise leave it without an owner.
            update.properties =
                update.replaces ? owner.owning(update.properties) : owner.withoutOwner(update.properties)
        }
        return try await write(
            id, update, as: .update, if: precondition, in: table, by: caller, call, isHooked: isHooked, into: row)
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    func deleteRow<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Deleting>, _ call: WriteCall,
        isHooked: Bool, into row: Row
    ) async throws(OperationError) -> ObservedWrite<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        let policy = behaviour(of: table).policy(for: call)
        let observed = observed(row, .delete, table, isHooked: isHooked)
        let result = try await storing { () async throws(TableError) in
            try await store.delete(
                id, if: policy.applied(to: precondition), scope: scope(of: table, for: caller, call),
                receipt: call.receipt, in: table, into: observed)
        }
        return finish(result, .delete, table, caller)
    }

    /// Makes a tombstone a live row again.
    func undeleteRow<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Undeleting>, _ call: WriteCall,
        isHooked: Bool, into row: Row
    ) async throws(OperationError) -> ObservedWrite<Row> {
        try await write(
            id, .undelete, as: .undelete, if: precondition, in: admitted.table, by: admitted.caller, call,
            isHooked: isHooked, into: row)
    }

    private func write<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, as operation: Operation, if precondition: Precondition, in table: Table,
        by caller: Principal, _ call: WriteCall, isHooked: Bool, into row: Row
    ) async throws(OperationError) -> ObservedWrite<Row> {
        let policy = behaviour(of: table).policy(for: call)
        let isWrite = !update.changesNothing(in: table)
        let observed = observed(row, operation, table, isWrite: isWrite, isHooked: isHooked)
        // Deletes and undeletes come to the same however often they are done.
        let given = operation == .update && update.deleted != true ? GivenAnswer(call, givenAnswers) : nil
        given?.begin()
        do throws(OperationError) {
            let result = try await storing { () async throws(TableError) in
                try await store.update(
                    id, update, if: policy.applied(to: precondition), scope: scope(of: table, for: caller, call),
                    receipt: call.receipt, in: table, into: observed)
            }
            return finish(await given?.end(result) ?? result, operation, table, caller, isWrite: isWrite)
        } catch {
            given?.failed()
            throw error
        }
    }

    /// The rows that the caller may write to, and of those the ones that the call is about.
    private func scope(of table: Table, for caller: Principal, _ call: WriteCall) -> RowScope? {
        let scope = scope(of: table, for: caller)
        guard let condition = call.condition else { return scope }
        var narrowed = scope ?? RowScope(.literal(.boolean(true), at: 0))
        narrowed.asked = condition
        return narrowed
    }

    private func check(_ properties: [Property], isWhole: Bool, in table: Table) throws(OperationError) {
        for rule in behaviour(of: table).required where !rule.allows(properties, isWhole: isWhole) {
            throw .required(message: rule.message)
        }
    }

    /// - Parameter isWrite: whether the write changes anything, which is all that notices tell of.
    private func observed<Row: RowVisitor>(
        _ row: Row, _ operation: Operation, _ table: Table, isWrite: Bool = true, isHooked: Bool
    ) -> ObservedRow<Row> {
        ObservedRow(row, if: isHooked || isNoticed(operation, table, isWrite))
    }

    private func isNoticed(_ operation: Operation, _ table: Table, _ isWrite: Bool) -> Bool {
        isWrite && notices?.wants(operation, of: table.name) ?? false
    }

    /// Tells of a write that was done, once.
    private func finish<Row: RowVisitor>(
        _ result: WriteResult<ObservedRow<Row>>, _ operation: Operation, _ table: Table, _ caller: Principal,
        isWrite: Bool = true
    ) -> ObservedWrite<Row> {
        let isNew = result.outcome == .written && !result.isRepeat
        let record = isNew ? result.row.seen?.records.last : nil
        if let record, isNoticed(operation, table, isWrite) {
            notices?.take(WriteNotice(operation, of: table.name, by: caller.user?.id, row: record))
        }
        return ObservedWrite(
            result: WriteResult(result.outcome, result.row.row, isRepeat: result.isRepeat), record: record)
    }

    /// What the caller is told of a write: where the server wins a conflict, that it was done.
    func answered<Row: RowVisitor>(
        _ result: WriteResult<Row>, in table: Table, _ call: WriteCall
    ) -> WriteResult<Row> {
        guard result.outcome == .mismatch, behaviour(of: table).policy(for: call) == .serverWins else { return result }
        return WriteResult(.written, result.row)
    }
}

/// What came of a write, and the row that it wrote where somebody wants to hear of it.
struct ObservedWrite<Row: RowVisitor> {
    let result: WriteResult<Row>
    /// nil too where the write was a repetition, or none.
    let record: Record?
}
