import OData
import Tables

/// A row that is about to be inserted.
struct NewRow {
    /// The id; nil if the database numbers the row.
    let id: RowID?
    let cells: [Cell]

    /// A column with its value. Not a tuple, since tuples are copied with run-time type information.
    struct Cell: Sendable {
        let field: Field
        let value: Value
    }

    /// - Parameters:
    ///   - id: nil if the database numbers the row; then scopes see null.
    ///   - deleted: whether the row starts as a tombstone; ignored if the table has no soft delete.
    init(
        _ assignments: [RowChanges.Assignment], id: RowID?, deleted: Bool = false, renewal: VersionBump, in table: Table
    ) {
        self.id = id
        let stamp = Value.date(renewal.stamp)
        var cells: [Cell] = []
        cells.reserveCapacity(5 + assignments.count)
        if let id { cells.append(Cell(field: .system(.id), value: id.value)) }
        cells.append(Cell(field: .system(.createdAt), value: stamp))
        cells.append(Cell(field: .system(.updatedAt), value: stamp))
        cells.append(Cell(field: .system(.version), value: .integer(renewal.version.counter)))
        cells.append(Cell(field: .system(.deleted), value: .boolean(deleted && table.rules.softDelete)))
        for assignment in assignments { cells.append(Cell(field: .own(assignment.column), value: assignment.value)) }
        self.cells = cells
    }

    /// Returns whether the row would be writable once it exists.
    func isWritable(in scope: RowScope, of table: Table, dialect: any SQLDialect) throws(QueryError) -> Operand {
        var given = Dictionary(table.fields.map { ($0, Value.null) }) { first, _ in first }
        for cell in cells { given[cell.field] = cell.value }
        return try scope.writeCondition(in: table, given: given, dialect: dialect)
    }
}
