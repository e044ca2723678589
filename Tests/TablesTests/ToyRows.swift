import Scalars
import Tables

@testable import StorageTesting

/// The version and the stamp that a write gives its row.
typealias ToyRenewal = (version: Version, stamp: Instant)

/// A table of the toy store: its rows in the order of their writes.
struct ToyTable {
    var table: Table
    var rows: [ReferenceRow] = []
    var lastStamp = Instant(milliseconds: 0)
    var lastNumber: Int64 = 0

    init(_ table: Table) {
        self.table = table
    }

    func index(of id: RowID) -> Int? {
        rows.firstIndex { ReferenceTable.key($0.id) == ReferenceTable.key(id) }
    }

    func row(_ id: RowID?) -> ReferenceRow? { id.flatMap { index(of: $0) }.map { rows[$0] } }

    mutating func apply(_ changes: RowChanges, to row: inout ReferenceRow) {
        if !changes.newColumns.isEmpty { table = table.adding(changes.newColumns) }
        for assignment in changes.assignments { row.values[assignment.column.name] = assignment.value }
    }
}

/// All that the toy store keeps.
struct ToyState {
    var tables: [Identifier: ToyTable] = [:]
    var receipts: [[UInt8]: (kept: IdempotencyRecord, writtenAt: Instant)] = [:]
    var lastVersion: Int64 = 0

    func kept(_ receipt: WriteReceipt?, now: Instant) -> IdempotencyRecord? {
        guard let receipt, let found = receipts[receipt.key] else { return nil }
        return found.writtenAt >= receipt.start(of: now) ? found.kept : nil
    }
}

extension RowState {
    /// - Parameter written: the row that has to be one that may be written.
    init(of found: ReferenceRow, in scope: RowScope?, of table: Table, becoming written: ReferenceRow) {
        self.init(
            version: found.version, isDeleted: found.isDeleted, isInScope: scope?.holds(found, of: table) ?? true,
            isWritable: scope?.allowsWriting(written, of: table) ?? true)
    }
}

extension IdempotencyRecord.Answer {
    func result<Row: RowVisitor>(_ found: ReferenceRow?, of table: Table, _ row: Row) -> WriteResult<Row>? {
        switch self {
        case .foundRow: WriteResult(.written, ReferenceStore.visited(found, table.fields, row), isRepeat: true)
        case .record(let record): record.visited(by: row).map { WriteResult(.written, $0, isRepeat: true) }
        }
    }
}
