import Access
import OData
public import Tables

// The steps of a write, from its caller to the store and back.
extension TableOperations {
    /// Does a write. The result is its row's, unless a script answers in its place.
    public func perform<Row: RowVisitor>(
        _ write: TableWrite, into row: Row
    ) async throws(OperationError) -> OperationAnswer<WriteResult<Row>> {
        if scripts != nil || write.asksOnly, hasScripts(about: write) {
            return try await performScripted(write, into: row)
        }
        let result = try await performUnscripted(write, into: RowTee(row, if: false))
        return .result(answered(result, to: write).unobserved())
    }

    /// Does a write that no script stands around any more.
    func performUnscripted<Row: RowVisitor>(
        _ write: TableWrite, into row: RowTee<Row>
    ) async throws(OperationError) -> WriteResult<RowTee<Row>> {
        guard let hooks = hooks[write.table.name] else { return try await performStored(write, into: row) }
        return try await performHooked(write, by: hooks, into: row)
    }

    /// Has the store write what the table's behaviours make of the write, and tells of it, once.
    func performStored<Row: RowVisitor>(
        _ write: TableWrite, into row: RowTee<Row>
    ) async throws(OperationError) -> WriteResult<RowTee<Row>> {
        var write = write
        let scope = try applyBehaviour(to: &write)
        let table = write.table
        let isNoticed = write.changesRow && notices?.wants(write.operation, of: table.name) ?? false
        let observed = isNoticed ? row.observed : row
        let given = write.isChange ? AcknowledgedChange(write.call, givenAnswers) : nil
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

    /// Makes of a write what the table's definition asks for.
    /// - Returns: the rows that the caller may write to, and of those the ones that the write is about.
    private func applyBehaviour(to write: inout TableWrite) throws(OperationError) -> RowScope? {
        var scope: RowScope?
        if let behaviour = behaviours[write.table.name] {
            for rule in behaviour.required
            where !rule.allows(write.update.properties, isWhole: write.operation == .insert) {
                throw .required(message: rule.message)
            }
            if let owner = behaviour.owner(for: write.caller) {
                // What takes the whole row's place would otherwise leave it without an owner.
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

    /// What the caller is told of a write: where the server wins a conflict, that it was done.
    func answered<Row: RowVisitor>(_ result: WriteResult<Row>, to write: TableWrite) -> WriteResult<Row> {
        guard result.outcome == .mismatch, behaviour(of: write.table).policy(for: write) == .serverWins else {
            return result
        }
        return WriteResult(.written, result.row)
    }

    /// The answer to a write that its receipt answers, so that no script and no hook runs for it: a read, where there is a
    /// receipt.
    /// - Returns: nil where the write has to be made to know what comes of it.
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
        guard let known, write.isChange, let given = AcknowledgedChange(write.call, givenAnswers) else { return known }
        given.begin()
        return await given.end(known)
    }
}

extension WriteResult {
    /// The row that was written now, where somebody wants to hear of it.
    func newRecord<Seen: RowVisitor>() -> Record? where Row == RowTee<Seen> {
        outcome == .written && !isRepeat ? row.seen?.records.last : nil
    }

    /// The same for whom nobody else saw the row.
    func unobserved<Seen: RowVisitor>() -> WriteResult<Seen> where Row == RowTee<Seen> {
        WriteResult<Seen>(outcome, row.row, isRepeat: isRepeat)
    }
}
