import Access
import OData
import Tables

// The table's scripts around a write, and around what its caller may see of the row.
extension TableOperations {
    /// Returns whether a script affects a write: it stands around it, or decides which rows its caller may see.
    func hasScripts(about write: TableWrite) -> Bool {
        write.asksOnly || hidesRows(of: write.looking) || !scripted(write).isEmpty
            // Who may be shown the row in an insert's way.
            || write.operation == .insert && scripts(around: .update, of: write.looking) != nil
    }

    /// Returns the write's operations that have scripts around them, the outermost first.
    private func scripted(_ write: TableWrite) -> [Operation] {
        let scripted = write.operations.filter { scripts(around: $0, of: write.looking) != nil }
        // A script around both is asked once.
        guard scripted == [.update, .undelete], let scripts, scripts.undeletesByUpdate(write.table.name) else {
            return scripted
        }
        return [.update]
    }

    /// Performs a write that its receipt doesn't answer, showing no more of the row than the caller may see.
    func performScripted<Row: RowVisitor>(
        _ write: TableWrite, into row: Row
    ) async throws(OperationError) -> OperationAnswer<WriteResult<Row>> {
        if let known = try await known(write, into: row) { return .result(answered(known, to: write)) }
        let row = RowTee(row, if: true)
        let operations = scripted(write)
        // No script decides whose row may be undeleted, and an undelete shows the row to its caller.
        if operations.isEmpty, write.operations.last == .undelete, let id = write.id,
            try await !isSeen(id, in: write.looking)
        {
            return .result(WriteResult(.missing, row.row))
        }
        let answer =
            operations.isEmpty
            ? try await performGuarded(write, by: nil, operations[...], into: row)
            : try await performScripted(write, by: operations[...], into: row)
        switch answer {
        case .script(let answer): return .script(answer)
        case .result(let result):
            let shown = try await shown(result, of: write)
            return shown.map { answered($0, to: write) }
        }
    }

    /// Runs the first of the scripts around the write, with the remaining ones inside it.
    private func performScripted<Row: RowVisitor>(
        _ write: TableWrite, by operations: ArraySlice<Operation>, into row: RowTee<Row>
    ) async throws(OperationError) -> OperationAnswer<WriteResult<RowTee<Row>>> {
        guard let scripts, let operation = operations.first else {
            return .result(try await performUnscripted(write, into: row))
        }
        var item: [Property] = []
        if operation == write.operation, write.setsColumns {
            item = write.update.properties
            if operation == .insert, let id = write.id { item.insert(Property("id", .text(id.text)), at: 0) }
        }
        return try await scripted(
            by: scripts, operation, item: item, id: write.id, if: write.precondition, in: write.looking,
            outcome: { self.outcome(of: $0, of: write, $1) }
        ) { change, isRepeat, _ throws(OperationError) in
            var changed = write
            // The receipt belongs to the first successful execution.
            if isRepeat { changed.call.receipt = nil }
            try change.apply(to: &changed, in: operation)
            return try await self.performGuarded(
                changed, by: change.query.condition, operations.dropFirst(), isOwn: operation == write.operation,
                into: row)
        }
    }

    /// Writes to a row only if it matches a script's condition; otherwise there is no such row. The condition is about
    /// the row as it is, not as it will be.
    /// - Parameter isOwn: whether the script is the one of the requested operation.
    private func performGuarded<Row: RowVisitor>(
        _ write: TableWrite, by condition: Expression?, _ operations: ArraySlice<Operation>, isOwn: Bool = false,
        into row: RowTee<Row>
    ) async throws(OperationError) -> OperationAnswer<WriteResult<RowTee<Row>>> {
        guard write.operation != .insert, let id = write.id, condition != nil || write.asksOnly else {
            return try await performScripted(write, by: operations, into: row)
        }
        // If another write changes the row in between, it is looked at again.
        for _ in 1...Self.maximumExecutions {
            let found = try await findRow(
                id, in: write.looking, select: nil, includeDeleted: true, where: condition, into: VisitedRecords())
            guard let version = found?.records.last?.version.flatMap({ Version(wireText: $0) }) else {
                return .result(WriteResult(.missing, row))
            }
            if write.asksOnly {
                let mayWrite = condition != nil ? true : try await isSeen(id, in: write.looking)
                return .result(WriteResult(mayWrite ? .written : .missing, row))
            }
            var versioned = write
            if write.precondition == .none {
                versioned.precondition = .version(version)
                versioned.appliesConflictPolicy = false
            }
            let answer = try await performScripted(versioned, by: operations, into: row)
            guard case .result(let result) = answer else { return answer }
            if write.precondition != .none || result.outcome != .mismatch {
                return .result(isOwn ? result.ofScript() : result)
            }
        }
        throw .table(.busy)
    }

    /// Returns what a script learns of a write.
    private func outcome<Row: RowVisitor>(
        of result: WriteResult<RowTee<Row>>, of write: TableWrite, _ execution: Int
    ) -> ScriptedOutcome {
        let result = answered(result, to: write)
        let row = result.row.seen?.records.last
        let kind: ScriptedFailure.Kind
        switch result.outcome {
        case .written where write.asksOnly: kind = .onlyAsked
        case .written: return .row(row ?? Record())
        case .mismatch: kind = .conflict
        case .duplicate, .taken: kind = .duplicate
        case .tombstone: kind = .tombstone
        case .missing: kind = .missing
        }
        return .failed(ScriptedFailure(kind: kind, row: row, execution: execution))
    }
}

extension WriteResult {
    /// Returns the same result, with the row marked as matching its script's condition.
    fileprivate func ofScript<Seen: RowVisitor>() -> WriteResult where Row == RowTee<Seen> {
        WriteResult(outcome, row.ofScript, isRepeat: isRepeat)
    }
}
