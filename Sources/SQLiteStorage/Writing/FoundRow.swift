import OData
import TableSQL
import Tables

/// A row that was visited, with what a verdict on a write of it needs to know.
struct FoundRow<Row: RowVisitor> {
    let row: Row
    let state: RowState
}

extension SQLiteConnection {
    /// Runs a statement that answers all columns of at most one row.
    /// - Parameter telling: what the columns tell that follow them.
    func wholeRow<Row: RowVisitor>(
        _ sql: SQLText, of table: Table, telling: RowTelling = .nothing, into row: Row
    ) throws(TableError) -> FoundRow<Row>? {
        try withStatement(sql) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table, telling: telling, into: row)
        }
    }

    /// Reads a row, live or tombstone; nil where there is none in scope.
    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, scope: RowScope? = nil, into row: Row
    ) throws(TableError) -> FoundRow<Row>? {
        if let scope {
            let find = try sql { () throws(QueryError) in
                let target = RowTarget(id, includesTombstones: true, scope: scope)
                return try FindStatement(writing: target, in: table, dialect: SQLiteDialect()).sql
            }
            return try wholeRow(find, of: table, telling: RowTelling(writingIn: scope), into: row)
        }
        return try withFind(id, in: table, includeDeleted: true) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table, into: row)
        }
    }

    private static func wholeRow<Row: RowVisitor>(
        _ statement: SQLiteStatement, of table: Table, telling: RowTelling = .nothing, into row: Row
    ) throws(TableError) -> FoundRow<Row>? {
        guard try statement.step() else { return nil }
        var row = row
        row.begin(table.layout)
        var reader = RowReader(statement: statement, layout: table.layout)
        reader.visitRow(into: &row)
        let (version, deleted) = (position(of: .version), position(of: .deleted))
        let state = telling.state(
            version: statement.kind(at: version) == .integer ? Version(counter: statement.integer(at: version)) : nil,
            isDeleted: statement.kind(at: deleted) != .integer || statement.integer(at: deleted) != 0
        ) { statement.integer(at: Int32(table.fields.count + $0)) != 0 }
        // A write is complete only when its last row was taken.
        while try statement.step() {}
        return FoundRow(row: row, state: state)
    }

    /// Where a system column stands among a table's fields.
    private static func position(of column: SystemColumn) -> Int32 {
        Int32(SystemColumn.allCases.firstIndex(of: column) ?? 0)
    }
}
