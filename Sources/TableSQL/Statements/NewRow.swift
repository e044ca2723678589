import OData
public import Tables

/// A row that is about to be inserted.
public struct NewRow: Sendable {
    /// nil where the database numbers the row.
    public let id: RowID?
    let cells: [(field: Field, value: Value)]

    /// - Parameters:
    ///   - id: nil where the database numbers the row; then it is null to a scope.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    public init(
        _ assignments: [RowChanges.Assignment], id: RowID?, deleted: Bool = false, renewal: Renewal, in table: Table
    ) {
        self.id = id
        let stamp = Value.date(renewal.stamp)
        var cells: [(field: Field, value: Value)] = [
            (.system(.createdAt), stamp), (.system(.updatedAt), stamp),
            (.system(.version), .integer(renewal.version.counter)),
            (.system(.deleted), .boolean(deleted && table.rules.softDelete)),
        ]
        if let id { cells.insert((.system(.id), id.value), at: 0) }
        self.cells = cells + assignments.map { (.own($0.column), $0.value) }
    }

    /// Whether the row would be one that may be written.
    func isWritable(in scope: RowScope, of table: Table, dialect: any SQLDialect) throws(QueryError) -> Operand {
        var given = Dictionary(table.fields.map { ($0, Value.null) }) { first, _ in first }
        for cell in cells { given[cell.field] = cell.value }
        return try scope.writeCondition(in: table, given: given, dialect: dialect)
    }
}
