import OData
import Scalars
import Tables

/// What a write gives its row.
typealias ReferenceRenewal = (version: Version, stamp: Instant)

/// A table with its rows.
struct ReferenceTable {
    var table: Table
    var rows: [RowID: ReferenceRow] = [:]
    var lastStamp = Instant(milliseconds: 0)
    var lastNumber: Int64 = 0
    /// How many columns clients have added.
    var clientColumns = 0
    /// How far copies have come, by their sources.
    var progress: [String: TransferProgress] = [:]

    func fields(_ names: [SelectedName]?) throws(TableError) -> [Field] {
        guard let names else { return table.fields }
        return try told { () throws(QueryError) in try table.fields(for: names) }
    }

    mutating func renewal(_ lastVersion: inout Int64, now: Instant) -> ReferenceRenewal {
        lastVersion += 1
        lastStamp = Stamp.next(after: lastStamp, now: now)
        return (Version(counter: lastVersion), lastStamp)
    }

    /// A new row, which is yet to be put.
    mutating func row(
        _ id: RowID?, _ properties: [Property], deleted: Bool, _ renewal: ReferenceRenewal
    ) throws(TableError) -> ReferenceRow {
        let id = id ?? .integer(lastNumber + 1)
        if case .integer(let number) = id { lastNumber = max(lastNumber, number) }
        let changes = try table.changes(from: properties, for: .insert)
        var row = ReferenceRow(id: id, createdAt: renewal.stamp, updatedAt: renewal.stamp, version: renewal.version)
        row.isDeleted = deleted && table.rules.softDelete
        apply(changes, to: &row)
        return row
    }

    mutating func apply(_ changes: RowChanges, to row: inout ReferenceRow) {
        if !changes.newColumns.isEmpty { table = table.adding(changes.newColumns) }
        for assignment in changes.assignments { row.values[assignment.column.name] = assignment.value }
    }
}
