import Access
public import Tables

// The writes as callers call them: a table's script around the hooks of a program.
extension TableOperations {
    /// Writes a new row.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool = false, in admitted: AdmittedTable<Inserting>,
        _ call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        guard let scripts = scripts(around: .insert, of: table) else {
            guard hidesRows(of: table) || self.scripts(around: .update, of: table) != nil else {
                return try await hookedInsert(properties, id: id, deleted: deleted, in: admitted, call, into: row)
            }
            let result = try await hookedInsert(
                properties, id: id, deleted: deleted, in: admitted, call, into: ObservedRow(row, if: true))
            return try await shown(result, in: table, for: caller, call)
        }
        if let known = try await known(.insert, of: id, in: table, for: caller, call, into: row) { return known }
        let item = id.map { [Property("id", .text($0.text))] + properties } ?? properties
        let result = try await scripted(
            by: scripts, .insert, item: item, id: id, in: table, for: caller, outcome: Self.outcome
        ) { change, isRepeat throws(OperationError) in
            let call = isRepeat ? call.beyondReceipt : call
            return try await self.hookedInsert(
                change.applied(to: properties), id: change.newRow(insteadOf: id, in: table), deleted: deleted,
                in: admitted, call, into: ObservedRow(row, if: true))
        }
        return try await shown(result, in: table, for: caller, call)
    }

    /// Changes a row. One that makes it a tombstone or a live row is a delete or an undelete to scripts and hooks as well.
    /// - Parameter life: what becomes of the row's life, whatever the update says of it; nil for nothing.
    public func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, _ life: LifeChange? = nil, if precondition: Precondition,
        in admitted: AdmittedTable<Updating>, _ call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        let lifeOperation: Operation? = life.map(\.deleted).map { $0 ? .delete : .undelete }
        let outer = scripts(around: .update, of: table)
        // A script that stands around both is asked once.
        let isOuterEnough = lifeOperation == .undelete && outer?.undeletesByUpdate(table.name) ?? false
        let inner = isOuterEnough ? nil : lifeOperation.flatMap { scripts(around: $0, of: table) }
        guard outer != nil || inner != nil || call.asksOnly || hidesRows(of: table) else {
            return answered(
                try await hookedUpdate(id, update, life, if: precondition, in: admitted, call, into: row), in: table,
                call)
        }
        let kind = RepeatableWrite.Kind.update(includesTombstones: update.includesTombstones)
        if let known = try await known(
            kind, of: id, isChange: life == nil, if: precondition, in: table, for: caller, call, into: row)
        {
            return answered(known, in: table, call)
        }
        let result: WriteResult<ObservedRow<Row>>
        if let outer {
            result = try await scripted(
                by: outer, .update, item: update.properties, id: id, if: precondition, in: table, for: caller,
                outcome: { Self.outcome(of: self.answered($0, in: table, call), $1) }
            ) { change, isRepeat throws(OperationError) in
                let call = isRepeat ? call.beyondReceipt : call
                var changed = update
                changed.properties = change.applied(to: update.properties)
                let id = change.row(insteadOf: id, in: table)
                return try await self.guarded(
                    by: change.query.condition, id, if: change.precondition(insteadOf: precondition),
                    in: admitted.looking, call, into: row
                ) { [changed] precondition, call throws(OperationError) in
                    try await self.livingOrDying(
                        id, changed, life, if: precondition, in: admitted, call, inner,
                        into: ObservedRow(row, if: true))
                }
            }
        } else if inner == nil {
            result = try await guarded(by: nil, id, if: precondition, in: admitted.looking, call, into: row) {
                precondition, call throws(OperationError) in
                let observed = ObservedRow(row, if: true)
                guard lifeOperation == .undelete else {
                    return try await self.hookedUpdate(
                        id, update, life, if: precondition, in: admitted, call, into: observed)
                }
                return try await self.ofSeen(id, in: table, for: caller, into: row) { () throws(OperationError) in
                    try await self.hookedUpdate(id, update, life, if: precondition, in: admitted, call, into: observed)
                }
            }
        } else {
            result = try await livingOrDying(
                id, update, life, if: precondition, in: admitted, call, inner, into: ObservedRow(row, if: true))
        }
        return answered(try await shown(result, in: table, for: caller, call), in: table, call)
    }

    /// The part of an update that the script of a delete or an undelete stands around too.
    private func livingOrDying<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, _ life: LifeChange?, if precondition: Precondition,
        in admitted: AdmittedTable<Updating>, _ call: WriteCall, _ scripts: (any TableScripts)?, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        let table = admitted.table
        guard let scripts, let life else {
            return try await hookedUpdate(id, update, life, if: precondition, in: admitted, call, into: row)
        }
        return try await scripted(
            by: scripts, life.deleted ? .delete : .undelete, id: id, if: precondition, in: table, for: admitted.caller,
            outcome: { Self.outcome(of: self.answered($0, in: table, call), $1) }
        ) { change, isRepeat throws(OperationError) in
            let call = isRepeat ? call.beyondReceipt : call
            let id = change.row(insteadOf: id, in: table)
            return try await self.guarded(
                by: change.query.condition, id, if: change.precondition(insteadOf: precondition), in: admitted.looking,
                call, into: row
            ) { precondition, call throws(OperationError) in
                try await self.hookedUpdate(
                    id, update, life, if: precondition, in: admitted, call, into: ObservedRow(row, if: true))
            }
        }.unobserved()
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Deleting>, _ call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        guard let scripts = scripts(around: .delete, of: table) else {
            guard hidesRows(of: table) else {
                return answered(
                    try await hookedDelete(id, if: precondition, in: admitted, call, into: row), in: table, call)
            }
            let result = try await hookedDelete(
                id, if: precondition, in: admitted, call, into: ObservedRow(row, if: true))
            return answered(try await shown(result, in: table, for: caller, call), in: table, call)
        }
        if let known = try await known(.delete, of: id, if: precondition, in: table, for: caller, call, into: row) {
            return answered(known, in: table, call)
        }
        let result = try await scripted(
            by: scripts, .delete, id: id, if: precondition, in: table, for: caller,
            outcome: { Self.outcome(of: self.answered($0, in: table, call), $1) }
        ) { change, isRepeat throws(OperationError) in
            let call = isRepeat ? call.beyondReceipt : call
            let id = change.row(insteadOf: id, in: table)
            return try await self.guarded(
                by: change.query.condition, id, if: change.precondition(insteadOf: precondition), in: admitted.looking,
                call, into: row
            ) { precondition, call throws(OperationError) in
                try await self.hookedDelete(
                    id, if: precondition, in: admitted, call, into: ObservedRow(row, if: true))
            }
        }
        return answered(try await shown(result, in: table, for: caller, call), in: table, call)
    }

    /// Makes a tombstone a live row again.
    public func undelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Undeleting>, _ call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        let (table, caller) = (admitted.table, admitted.caller)
        guard let scripts = scripts(around: .undelete, of: table) else {
            guard hidesRows(of: table) else {
                return answered(
                    try await hookedUndelete(id, if: precondition, in: admitted, call, into: row), in: table, call)
            }
            let result = try await ofSeen(id, in: table, for: caller, into: row) { () throws(OperationError) in
                try await self.hookedUndelete(
                    id, if: precondition, in: admitted, call, into: ObservedRow(row, if: true))
            }
            return answered(try await shown(result, in: table, for: caller, call), in: table, call)
        }
        let kind = RepeatableWrite.Kind.update(includesTombstones: true)
        if let known = try await known(kind, of: id, if: precondition, in: table, for: caller, call, into: row) {
            return answered(known, in: table, call)
        }
        let result = try await scripted(
            by: scripts, .undelete, id: id, if: precondition, in: table, for: caller,
            outcome: { Self.outcome(of: self.answered($0, in: table, call), $1) }
        ) { change, isRepeat throws(OperationError) in
            let call = isRepeat ? call.beyondReceipt : call
            let id = change.row(insteadOf: id, in: table)
            return try await self.guarded(
                by: change.query.condition, id, if: change.precondition(insteadOf: precondition), in: admitted.looking,
                call, into: row
            ) { precondition, call throws(OperationError) in
                try await self.hookedUndelete(
                    id, if: precondition, in: admitted, call, into: ObservedRow(row, if: true))
            }
        }
        return answered(try await shown(result, in: table, for: caller, call), in: table, call)
    }
}

extension WriteResult {
    /// The same for whom nobody else saw the row.
    fileprivate func unobserved<Seen: RowVisitor>() -> WriteResult<Seen> where Row == ObservedRow<Seen> {
        WriteResult<Seen>(outcome, row.row, isRepeat: isRepeat)
    }
}
