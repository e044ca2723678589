import Access
import OData
public import Tables

// The steps of a write, from its caller to the store and back.
extension TableOperations {
    /// Performs a write. The answer has the row's own result, unless a script answers instead.
    public func perform<Row: RowVisitor>(
        _ write: TableWrite, into row: Row
    ) async throws(OperationError) -> OperationAnswer<WriteResult<Row>> {
        if scripts != nil || write.asksOnly, hasScripts(about: write) {
            return try await performScripted(write, into: row)
        }
        let result = try await performUnscripted(write, into: RowTee(row, if: false))
        return .result(answered(result, to: write).unobserved())
    }

    /// Performs a write that has no more scripts around it.
    func performUnscripted<Row: RowVisitor>(
        _ write: TableWrite, into row: RowTee<Row>
    ) async throws(OperationError) -> WriteResult<RowTee<Row>> {
        guard let hooks = hooks[write.table.name] else { return try await performStored(write, into: row) }
        return try await performHooked(write, by: hooks, into: row)
    }

    /// Applies the table's behaviours, has the store write the row, and sends the notice, once.
    func performStored<Row: RowVisitor>(
        _ write: TableWrite, into row: RowTee<Row>
    ) async throws(OperationError) -> WriteResult<RowTee<Row>> {
        var write = write
        let scope = try applyBehaviour(to: &write)
        let table = write.table
        let isNoticed = write.changesRow && notices?.wants(write.operation, of: table.name) ?? false
        let observed = isNoticed ? row.observed : row
        let given = write.isChange ? AcknowledgedChange(write.call, acknowledgedChanges) : nil
        given?.begin()
        var result: WriteResult<RowTee<Row>>
        do throws(TableError) {
            result = try await store.write(
                write.row(if: write.precondition, scope: scope), in: table, into: observed)
        } catch {
            given?.failed()
            throw .table(error)
        }
        if let given { result = await given.end(result) }
        if isNoticed, let record = result.newRecord() {
            notices?.take(WriteNotice(write.operation, of: table.name, by: write.caller.user?.id, row: record))
        }
        return result
    }

    /// Applies the behaviours of the table's definition to a write.
    /// - Returns: the rows that the caller may write to, limited to those that the write is about.
    private func applyBehaviour(to write: inout TableWrite) throws(OperationError) -> RowScope? {
        var scope: RowScope?
        if let behaviour = behaviours[write.table.name] {
            for rule in behaviour.required
            where !rule.allows(write.update.properties, isWhole: write.operation == .insert) {
                throw .required(message: rule.message)
            }
            if let owner = behaviour.owner(for: write.caller) {
                // Otherwise, a replacement of the whole row would leave it without an owner.
                let isWhole = write.operation == .insert || write.update.replaces
                let properties = write.update.properties
                write.update.properties = isWhole ? owner.owning(properties) : owner.withoutOwner(properties)
            }
            write.precondition = behaviour.policy(for: write).applied(to: write.precondition)
            scope = behaviour.scope(for: write.caller, at: clock())
        }
        guard let condition = write.condition else { return scope }
        var narrowed = scope ?? RowScope(.literal(.boolean(true), at: 0))
        narrowed.asked = condition
        return narrowed
    }

    /// Returns the result that the caller is told: if the server wins a conflict, that the write was done.
    func answered<Row: RowVisitor>(_ result: WriteResult<Row>, to write: TableWrite) -> WriteResult<Row> {
        guard result.outcome == .mismatch, behaviour(of: write.table).policy(for: write) == .serverWins else {
            return result
        }
        return WriteResult(.written, result.row)
    }

    /// Returns the answer to a write that its receipt already answers, without scripts and hooks. If there is a
    /// receipt, this takes a read.
    /// - Returns: nil if the write has to be done to know its result.
    func known<Row: RowVisitor>(
        _ write: TableWrite, into row: Row
    ) async throws(OperationError) -> WriteResult<Row>? {
        guard write.call.receipt != nil else { return nil }
        let (table, policy) = (write.table, behaviour(of: write.table).policy(for: write))
        let repeated = write.row(
            if: policy.applied(to: write.precondition), scope: scope(of: table, for: write.caller))
        let known: WriteResult<Row>?
        do throws(TableError) {
            known = try await store.recall(repeated, in: table, into: row)
        } catch {
            throw .table(error)
        }
        guard let known, write.isChange, let given = AcknowledgedChange(write.call, acknowledgedChanges) else {
            return known
        }
        given.begin()
        return await given.end(known)
    }
}

extension WriteResult {
    /// Returns the row if it was written just now and observers want it.
    func newRecord<Seen: RowVisitor>() -> Record? where Row == RowTee<Seen> {
        outcome == .written && !isRepeat ? row.seen?.records.last : nil
    }

    /// Returns the same result without the observers' copy of the row.
    func unobserved<Seen: RowVisitor>() -> WriteResult<Seen> where Row == RowTee<Seen> {
        WriteResult<Seen>(outcome, row.row, isRepeat: isRepeat)
    }
}
