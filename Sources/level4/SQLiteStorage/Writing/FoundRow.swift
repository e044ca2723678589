import OData
import TableSQL
import Tables

/// A row that was read, with what is needed to decide on a write of it.
struct FoundRow {
    let row: RowCopy
    let state: RowState
}

extension SQLiteConnection {
    /// Runs a statement that returns all columns of at most one row.
    /// - Parameter telling: which columns about its state follow them.
    func wholeRow(
        _ sql: SQLText, of table: Table, telling: RowStateColumns = .nothing
    ) throws(TableError) -> FoundRow? {
        try withStatement(sql) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table, telling: telling)
        }
    }

    /// Reads a row, live or tombstone; nil if there is none in scope.
    func find(_ id: RowID, in table: Table, scope: RowScope? = nil) throws(TableError) -> FoundRow? {
        if let scope {
            let find = try sql { () throws(QueryError) in
                let target = RowTarget(id, includesTombstones: true, scope: scope)
                return try FindStatement(writing: target, in: table, dialect: SQLiteDialect()).sql
            }
            return try wholeRow(find, of: table, telling: RowStateColumns(writingIn: scope))
        }
        return try withFind(id, in: table, includeDeleted: true) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table)
        }
    }

    private static func wholeRow(
        _ statement: SQLiteStatement, of table: Table, telling: RowStateColumns = .nothing
    ) throws(TableError) -> FoundRow? {
        guard try statement.step() else { return nil }
        var row = RowCopy()
        row.begin(table.layout)
        var reader = SQLiteRowReader(statement: statement, layout: table.layout)
        reader.visitRow(into: &row)
        let (version, deleted) = (position(of: .version), position(of: .deleted))
        let state = telling.state(
            version: statement.kind(at: version) == .integer ? Version(counter: statement.integer(at: version)) : nil,
            isDeleted: statement.kind(at: deleted) != .integer || statement.integer(at: deleted) != 0
        ) { statement.integer(at: Int32(table.fields.count + $0)) != 0 }
        // A write is complete only when its last row has been fetched.
        while try statement.step() {}
        return FoundRow(row: row, state: state)
    }

    /// Returns the position of a system column among a table's fields.
    private static func position(of column: SystemColumn) -> Int32 {
        Int32(SystemColumn.allCases.firstIndex(of: column) ?? 0)
    }
}
