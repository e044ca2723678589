import OData
import TableSQL
import Tables

/// The row operations, as members of a batch.
extension WriteSession {
    /// - Parameter changes: computed from the properties and a table that may be older than the current one.
    func insert<Row: RowVisitor>(
        _ changes: RowChanges, from properties: [Property], id: RowID?, in name: Identifier, into row: Row
    ) throws(TableError) -> WriteResult<Row> {
        var table = try table(named: name)
        var changes = changes
        if !changes.newColumns.isEmpty {
            // Another write may have made the columns since, perhaps of another type.
            changes = try table.changes(from: properties, for: .insert)
            // A write that changes no row adds no columns.
            if let id, let taken = try connection.find(id, in: table, into: row) {
                return WriteResult(.duplicate, taken.row)
            }
            table = try widen(table, by: changes.newColumns)
        }
        let statement = InsertStatement(
            changes.assignments, id: id, renewal: renewal(of: name), into: table, dialect: dialect)
        if let written = try connection.wholeRow(statement.sql, of: table, into: row) {
            return WriteResult(.written, written.row)
        }
        guard let id, let taken = try connection.find(id, in: table, into: row) else {
            throw .failed(detail: "an insert into \(name) wrote nothing")
        }
        return WriteResult(.duplicate, taken.row)
    }

    /// - Parameter changes: computed from the properties and a table that may be older than the current one.
    func update<Row: RowVisitor>(
        _ id: RowID, set changes: RowChanges, from properties: [Property], if precondition: Precondition,
        in name: Identifier, into row: Row
    ) throws(TableError) -> WriteResult<Row> {
        var table = try table(named: name)
        var changes = changes
        if !changes.newColumns.isEmpty {
            changes = try table.changes(from: properties, for: .update)
            if let refused = try refusal(id, if: precondition, in: table, into: row) { return refused }
            table = try widen(table, by: changes.newColumns)
        }
        return try renew(id, if: precondition, in: table, into: row) { version in
            UpdateStatement(
                id, set: changes.assignments, renewal: renewal(of: name), ifVersion: version, in: table,
                dialect: dialect
            ).sql
        }
    }

    func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in name: Identifier, into row: Row
    ) throws(TableError) -> WriteResult<Row> {
        let table = try table(named: name)
        return try renew(id, if: precondition, in: table, into: row) { version in
            table.rules.softDelete
                ? SoftDeleteStatement(
                    id, renewal: renewal(of: name), ifVersion: version, in: table, dialect: dialect
                ).sql
                : HardDeleteStatement(id, ifVersion: version, in: table, dialect: dialect).sql
        }
    }

    func undelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in name: Identifier, into row: Row
    ) throws(TableError) -> WriteResult<Row> {
        let table = try table(named: name)
        return try renew(id, if: precondition, in: table, into: row, allowsTombstone: true) { version in
            UndeleteStatement(
                id, renewal: renewal(of: name), ifVersion: version, in: table, dialect: dialect
            ).sql
        }
    }

    /// Runs a statement that writes the row only where the precondition holds, and finds out why where it doesn't.
    private func renew<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, into row: Row, allowsTombstone: Bool = false,
        _ statement: (Version?) -> SQLText
    ) throws(TableError) -> WriteResult<Row> {
        let sql: SQLText? =
            switch precondition {
            case .none: statement(nil)
            case .version(let version): statement(version)
            case .unmatchable: nil
            }
        if let sql, let written = try connection.wholeRow(sql, of: table, into: row) {
            return WriteResult(.written, written.row)
        }
        let refused = try refusal(id, if: precondition, in: table, into: row, allowsTombstone: allowsTombstone)
        guard let refused else { throw .failed(detail: "a write to \(table.name) wrote nothing") }
        return refused
    }

    /// Why a row can't be written, with the row; nil where it can.
    private func refusal<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, into row: Row, allowsTombstone: Bool = false
    ) throws(TableError) -> WriteResult<Row>? {
        guard let found = try connection.find(id, in: table, into: row) else { return WriteResult(.missing, row) }
        let outcome = found.refusal(if: precondition, in: table, allowsTombstone: allowsTombstone)
        return outcome.map { WriteResult($0, found.row) }
    }

    /// Adds columns, for this batch at once and for everybody after its commit.
    func widen(_ table: Table, by columns: [Column]) throws(TableError) -> Table {
        guard !columns.isEmpty else { return table }
        for column in columns {
            try connection.run(AddColumnStatement(column, to: table.name, dialect: dialect).sql.text)
        }
        let wider = table.adding(columns)
        put(wider)
        return wider
    }
}
