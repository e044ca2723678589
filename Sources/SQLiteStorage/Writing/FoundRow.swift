import OData
import TableSQL
import Tables

/// A row that was visited, with what a precondition is checked against.
struct FoundRow<Row: RowVisitor> {
    let row: Row
    /// nil where a SQL shell left something else than a whole number.
    let version: Version?
    let isDeleted: Bool
    /// What the columns behind the row's own say.
    let told: [Bool]

    /// Whether the scope in which it was looked for lets it be written.
    var isWritable: Bool { told.first ?? true }

    /// Why a write of this row is refused; nil where it isn't.
    /// - Throws: `outsideScope` where the row may not be written.
    func refusal(
        if precondition: Precondition, in table: Table, allowsTombstone: Bool
    ) throws(TableError) -> WriteOutcome? {
        guard isWritable else { throw .outsideScope }
        if isDeleted, table.rules.softDelete, !allowsTombstone { return .tombstone }
        switch precondition {
        case .none: return nil
        case .version, .unmatchable:
            guard let version, precondition.holds(for: version) else { return .mismatch }
            return nil
        }
    }
}

extension SQLiteConnection {
    /// Runs a statement that answers all columns of at most one row.
    /// - Parameter count: how many columns follow them, each of a condition.
    func wholeRow<Row: RowVisitor>(
        _ sql: SQLText, of table: Table, telling count: Int = 0, into row: Row
    ) throws(TableError) -> FoundRow<Row>? {
        try withStatement(sql) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table, telling: count, into: row)
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
            return try wholeRow(find, of: table, telling: scope.writable == nil ? 0 : 1, into: row)
        }
        return try withFind(id, in: table, includeDeleted: true) { statement throws(TableError) in
            try Self.wholeRow(statement, of: table, into: row)
        }
    }

    private static func wholeRow<Row: RowVisitor>(
        _ statement: SQLiteStatement, of table: Table, telling count: Int = 0, into row: Row
    ) throws(TableError) -> FoundRow<Row>? {
        guard try statement.step() else { return nil }
        var row = row
        row.begin(table.fields)
        RowReader(statement: statement, fields: table.fields).visitRow(into: &row)
        let (version, deleted) = (position(of: .version), position(of: .deleted))
        let found = FoundRow(
            row: row,
            version: statement.kind(at: version) == .integer ? Version(counter: statement.integer(at: version)) : nil,
            isDeleted: statement.kind(at: deleted) != .integer || statement.integer(at: deleted) != 0,
            told: (0..<count).map { statement.integer(at: Int32(table.fields.count + $0)) != 0 })
        // A write is complete only when its last row was taken.
        while try statement.step() {}
        return found
    }

    /// Where a system column stands among a table's fields.
    private static func position(of column: SystemColumn) -> Int32 {
        Int32(SystemColumn.allCases.firstIndex(of: column) ?? 0)
    }
}
