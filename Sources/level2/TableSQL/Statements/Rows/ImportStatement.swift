public import Tables

/// Writes a whole row as it was elsewhere, and returns nothing.
public struct ImportStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameters:
    ///   - renewal: the row's version and stamp.
    ///   - table: the table with all columns that the row sets; its others become null.
    public init(_ row: ImportRow, renewal: VersionBump, into table: Table, dialect: any SQLDialect) {
        var cells: [(field: Field, value: Value)] = [
            (.system(.id), row.id.value), (.system(.createdAt), .date(row.createdAt ?? renewal.stamp)),
            (.system(.updatedAt), .date(renewal.stamp)), (.system(.version), .integer(renewal.version.counter)),
            (.system(.deleted), .boolean(row.isDeleted)),
        ]
        for assignment in row.assignments { cells.append((.own(assignment.column), assignment.value)) }
        let (names, values) = (cells.map { SQLFragment($0.field) }, cells.map { SQLFragment($0.value) })
        sql = SQLText("INSERT INTO \(table.name) (\(names.joined())) VALUES (\(values.joined()))", dialect)
    }
}
