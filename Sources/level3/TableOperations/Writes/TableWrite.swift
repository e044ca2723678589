import Access
import OData
public import Tables

/// A write of one row: what its caller was admitted to, and what the steps on its way to the store have made of it.
public struct TableWrite: Sendable {
    /// The table and its caller, to look at the row that is about to be written.
    let looking: AdmittedTable<Reading>
    /// What was asked for, and what notices tell of.
    let operation: Operation
    /// nil in a table that numbers its own rows.
    var id: RowID?
    /// What is written; nothing for a delete.
    var update: RowUpdate
    /// What the row's version has to be.
    public var precondition: Precondition
    /// What of the request bears on it.
    var call: WriteCall

    /// Whether the table's conflict policy decides where the precondition does not hold; otherwise the caller does.
    public var appliesConflictPolicy = true
    /// What has to be true of the row as it is before the write, or there is no such row; nil for nothing. It is part of
    /// the statement that writes.
    var condition: Expression?
    /// Whether nothing is to be written: what is asked is whether there is a row that the caller could write to, before
    /// they are told what else is wrong. Where there is one, the outcome is `written`.
    public var asksOnly = false
    /// Which attempt at the write it is, counted from 1: a write that looks at its row first is tried again where
    /// another one came between.
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

    /// A new row. It is the caller's own where the table's rows have owners.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    public static func insert(
        _ properties: [Property], id: RowID?, deleted: Bool = false, in admitted: AdmittedTable<Inserting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        var row = RowUpdate(properties)
        row.deleted = deleted
        return TableWrite(.insert, id, row, if: .none, in: admitted, call)
    }

    /// A change of a row, whose owner stays whose it is. One that makes the row a tombstone or a live one is a delete or an
    /// undelete to scripts and hooks as well.
    /// - Parameter life: what becomes of the row's life, whatever the update says of it; nil for nothing.
    public static func update(
        _ id: RowID, _ update: RowUpdate, _ life: DeletionChange? = nil, if precondition: Precondition = .none,
        in admitted: AdmittedTable<Updating>, _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        var update = update
        update.deleted = life?.deleted
        return TableWrite(.update, id, update, if: precondition, in: admitted, call)
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    public static func delete(
        _ id: RowID, if precondition: Precondition = .none, in admitted: AdmittedTable<Deleting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        TableWrite(.delete, id, RowUpdate(), if: precondition, in: admitted, call)
    }

    /// Makes a tombstone a live row again.
    public static func undelete(
        _ id: RowID, if precondition: Precondition = .none, in admitted: AdmittedTable<Undeleting>,
        _ call: WriteCall = WriteCall()
    ) -> TableWrite {
        TableWrite(.undelete, id, .undelete, if: precondition, in: admitted, call)
    }

    var table: Table { looking.table }
    var caller: Principal { looking.caller }

    /// What it is to scripts and hooks, in the order in which they stand around it.
    var operations: [Operation] {
        guard operation == .update, let deleted = update.deleted else { return [operation] }
        return [.update, deleted ? .delete : .undelete]
    }

    /// What the store is asked for.
    /// - Parameter scope: the rows that the caller may see and write; nil for all.
    func row(if precondition: Precondition, scope: RowScope?) -> RowWrite {
        let action: RowWrite.Action = operation == .insert ? .insert : operation == .delete ? .delete : .update
        // A row that isn't there yet has no version that could differ.
        return RowWrite(
            action, of: id, in: table.name, update, if: action == .insert ? .none : precondition, scope: scope,
            receipt: call.receipt)
    }

    /// Whether two clients of one installation may both have sent it, so that one alone wins: deletes and undeletes come to
    /// the same however often they are done.
    var isChange: Bool { operation == .update && update.deleted != true }

    /// Whether it writes columns that its caller names.
    var setsColumns: Bool { operation == .insert || operation == .update }

    /// Whether the row is written at all, and not only read.
    var changesRow: Bool { operation != .update || !update.changesNothing(in: table) }
}
