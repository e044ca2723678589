import Access
import OData
public import Tables

/// A write of one row: what its caller was admitted to, and what the steps on the way to the store have changed.
public struct TableWrite: Sendable {
    /// The table and its caller, for looking at the row that is about to be written.
    let looking: AdmittedTable<Reading>
    /// The requested operation, which notices report.
    let operation: Operation
    /// The row's id; nil in a table that numbers its own rows.
    var id: RowID?
    /// The values to write; empty for a delete.
    var update: RowUpdate
    /// The version that the row must have.
    public var precondition: Precondition
    /// The parts of the request that affect the write.
    var call: WriteCall

    /// Whether the table's conflict policy decides when the precondition fails; otherwise the caller does.
    public var appliesConflictPolicy = true
    /// What must be true of the row before the write; otherwise there is no such row. Nil for no condition. It is part
    /// of the writing statement.
    var condition: Expression?
    /// Whether nothing is written, only checking for a row that the caller could write to before reporting other
    /// errors. If there is one, the outcome is `written`.
    public var asksOnly = false
    /// The number of this attempt at the write, from 1: a write that looks at its row first is retried if another one
    /// intervenes.
    public var attempt = 1

    private init<Right>(
        _ operation: Operation, _ id: RowID?, _ update: RowUpdate, if precondition: Precondition,
        in admitted: AdmittedTable<Right>, _ call: WriteCall
    ) {
        looking = admitted.finding
        self.operation = operation
        self.id = id
        self.update = update
        self.precondition = precondition
        self.call = call
    }

    /// Returns an insert of a row, owned by the caller if the table's rows have owners.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row starts as a tombstone; ignored if the table has no soft delete.
    public static func insert(
        _ properties: [Property], id: RowID?, deleted: Bool = false, in admitted: AdmittedTable<Inserting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        var row = RowUpdate(properties)
        row.deleted = deleted
        return TableWrite(.insert, id, row, if: .none, in: admitted, call)
    }

    /// Returns an update of a row, which never changes its owner. If it makes the row a tombstone or a live row,
    /// scripts and hooks treat it as a delete or an undelete as well.
    /// - Parameter life: the change of `deleted`, overriding the update's own; nil for none.
    public static func update(
        _ id: RowID, _ update: RowUpdate, _ life: DeletionChange? = nil, if precondition: Precondition = .none,
        in admitted: AdmittedTable<Updating>, _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        var update = update
        update.deleted = life?.deleted
        return TableWrite(.update, id, update, if: precondition, in: admitted, call)
    }

    /// Returns a delete, which makes a row a tombstone or removes it if the table has no soft delete.
    public static func delete(
        _ id: RowID, if precondition: Precondition = .none, in admitted: AdmittedTable<Deleting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        TableWrite(.delete, id, RowUpdate(), if: precondition, in: admitted, call)
    }

    /// Returns an undelete, which makes a tombstone a live row again.
    public static func undelete(
        _ id: RowID, if precondition: Precondition = .none, in admitted: AdmittedTable<Undeleting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        TableWrite(.undelete, id, .undelete, if: precondition, in: admitted, call)
    }

    var table: Table { looking.table }
    var caller: Principal { looking.caller }

    /// The operations that scripts and hooks see, from the outermost.
    var operations: [Operation] {
        guard operation == .update, let deleted = update.deleted else { return [operation] }
        return [.update, deleted ? .delete : .undelete]
    }

    /// Returns the write for the store.
    /// - Parameter scope: the rows that the caller may see and write; nil for all.
    func row(if precondition: Precondition, scope: RowScope?) -> RowWrite {
        let action: RowWrite.Action = operation == .insert ? .insert : operation == .delete ? .delete : .update
        // A row that doesn't exist yet has no version that could differ.
        return RowWrite(
            action, of: id, in: table.name, update, if: action == .insert ? .none : precondition, scope: scope,
            receipt: call.receipt)
    }

    /// Whether two clients of one installation may both have sent it, so that only one may win: deletes and undeletes
    /// have the same effect however often they are done.
    var isChange: Bool { operation == .update && update.deleted != true }

    /// Whether it writes columns that its caller names.
    var setsColumns: Bool { operation == .insert || operation == .update }

    /// Whether the row is actually written, not only read.
    var changesRow: Bool { operation != .update || !update.changesNothing(in: table) }
}
