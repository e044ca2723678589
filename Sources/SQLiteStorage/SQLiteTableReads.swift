public import OData
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// The table as the last commit left it.
    public func table(named name: Identifier) -> Table? {
        catalog.table(named: name)
    }

    /// All served tables, by name.
    public func tables() -> [Table] {
        catalog.all()
    }

    /// Reads one row, on the caller's own thread where the database is a file.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        guard id.fits(table) else { return nil }
        return try await readBriefly { connection throws(TableError) in
            var row = row
            if select == nil, scope == nil {
                let find = { (cursor: SQLiteStatement) throws(TableError) in
                    try Self.visitRow(of: cursor, table.layout, into: &row)
                }
                return try connection.withFind(id, in: table, includeDeleted: includeDeleted, find) ? row : nil
            }
            let statement = try sql { () throws(QueryError) in
                let target = RowTarget(id, includesTombstones: includeDeleted, scope: scope)
                return try FindStatement(target, in: table, select: select, dialect: SQLiteDialect())
            }
            let isFound = try connection.withStatement(statement.sql) { cursor throws(TableError) in
                try Self.visitRow(of: cursor, statement.layout, into: &row)
            }
            return isFound ? row : nil
        }
    }

    /// Reads one row on the caller's own thread where the database is a file.
    public func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> RowAtOnce {
        guard let readers else { return .waits }
        guard id.fits(table) else { return .missing }
        return try readers.readBriefly(catalog.commits) { connection throws(TableError) in
            try connection.withFind(id, in: table, includeDeleted: includeDeleted) { cursor throws(TableError) in
                try Self.visitRow(of: cursor, table.layout, into: &row) ? .found : .missing
            }
        }
    }

    /// - Returns: false where there is no row.
    private static func visitRow<Row: RowVisitor>(
        of cursor: SQLiteStatement, _ layout: RowLayout, into row: inout Row
    ) throws(TableError) -> Bool {
        guard try cursor.step() else { return false }
        row.begin(layout)
        var reader = RowReader(statement: cursor, layout: layout)
        reader.visitRow(into: &row)
        return true
    }

    /// The secret that the database was given when it was made.
    public func continuationKey() async throws(TableError) -> [UInt8] {
        continuationSecret
    }

    /// Reads a number from the database.
    public func ping() async throws(TableError) {
        try await read { connection throws(TableError) in
            try connection.run("SELECT value FROM zumod_counters WHERE name = 'version'")
        }
    }

    /// Reads on the caller's own thread in a transaction that is shared with others of the same turn of its event loop.
    /// - Parameter body: begins no transaction.
    func readBriefly<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try readers.readBriefly(catalog.commits, body)
    }

    /// Reads on the caller's own thread, since a point read is over before a hop to another would be.
    func read<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try readers.read(body)
    }
}
