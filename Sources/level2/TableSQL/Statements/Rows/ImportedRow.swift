import Tables

extension ImportRow {
    /// Returns the statement that inserts the whole row as it was elsewhere; it returns nothing.
    /// - Parameters:
    ///   - renewal: the row's version and stamp.
    ///   - table: the table with all columns that the row sets; its others become null.
    func insertion(_ renewal: VersionBump, into table: Table, dialect: any SQLDialect) -> SQLText {
        let system: [(field: Field, value: Value)] = [
            (.system(.id), id.value), (.system(.createdAt), .date(createdAt ?? renewal.stamp)),
            (.system(.updatedAt), .date(renewal.stamp)), (.system(.version), .integer(renewal.version.counter)),
            (.system(.deleted), .boolean(isDeleted)),
        ]
        let cells = system + assignments.map { (.own($0.column), $0.value) }
        let columns = cells.map { SQLFragment(setting: $0.field) }.joined()
        let values = cells.map { SQLFragment($0.value).stored(in: $0.field) }.joined()
        return SQLText("INSERT INTO \(table.name) (\(columns)) VALUES (\(values))", dialect)
    }

    /// Returns the statements that make the row with its id equal to it; they return nothing.
    ///
    /// The row stays in place, so that references to it from other tables aren't affected, and columns that the import
    /// doesn't name keep their values.
    /// - Parameters:
    ///   - renewal: the row's version and stamp, which may be its current ones.
    ///   - table: the table with all columns that the row sets.
    func replacement(_ renewal: VersionBump, in table: Table, dialect: any SQLDialect) -> [SQLText] {
        let version = SQLFragment(.integer(renewal.version.counter))
        // A write that leaves the version unchanged looks to the trigger like another program's, which needs a new one.
        let aside: SQLFragment =
            "UPDATE \(table.name) SET \"version\" = -1 WHERE \"id\" = \(id.value) AND \"version\" = \(version)"
        var builder = SQLBuilder(dialect)
        builder.append(
            "UPDATE \(table.name) SET \"version\" = \(version), \"updatedAt\" = \(.date(renewal.stamp))" as SQLFragment)
        if let createdAt { builder.append(", \"createdAt\" = \(.date(createdAt))" as SQLFragment) }
        if saysWhetherDeleted { builder.append(", \"deleted\" = \(.boolean(isDeleted))" as SQLFragment) }
        for assignment in assignments {
            builder.append(", ")
            builder.assign(assignment)
        }
        builder.append(" WHERE \"id\" = \(id.value)" as SQLFragment)
        return [SQLText(aside, dialect), builder.build()]
    }
}
