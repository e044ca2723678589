public import OData
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Returns the table as of the last commit.
    public func table(named name: Identifier) -> Table? {
        catalog.table(named: name)
    }

    /// Returns all served tables, by name.
    public func tables() -> [Table] {
        catalog.all()
    }

    /// Reads one row, on the caller's thread if the database is a file.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        try await readFresh(table) { table throws(TableError) -> Row?? in
            guard id.fits(table) else { return .some(nil) }
            return try await self.readBriefly { [catalog] connection throws(TableError) in
                try connection.reading(table, of: catalog) { () throws(TableError) -> Row? in
                    var row = row
                    let isFound = try connection.visitRow(
                        id, in: table, select: select, includeDeleted: includeDeleted, scope: scope, into: &row)
                    return isFound ? row : nil
                }
            }
        }
    }

    /// Reads one row on the caller's thread if the database is a file.
    public func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> ImmediateRead {
        guard let readers, !table.isAway else { return .waits }
        guard id.fits(table) else { return .missing }
        return try readers.readBriefly(catalog.commits) { connection throws(TableError) in
            try connection.reading(table, of: catalog) { () throws(TableError) in
                try connection.visitRow(id, in: table, includeDeleted: includeDeleted, into: &row) ? .found : .missing
            }
        } ?? .waits
    }

    /// Returns the secret that the database got when it was created.
    public func continuationKey() async throws(TableError) -> [UInt8] {
        continuationSecret
    }

    /// Reads a number from the database, and its tables again if others have changed them.
    public func ping() async throws(TableError) {
        let version = try await read { connection throws(TableError) in
            try connection.checkPlace()
            try connection.run("SELECT value FROM zumod_counters WHERE name = 'version'")
            return try connection.schemaVersion()
        }
        if !catalog.isOf(version) { try await writer.look() }
    }

    /// Reads a table, and reads it again if it has changed in the database since it was looked up.
    /// - Parameter read: returns nil if the table has changed.
    func readFresh<Success: Sendable>(
        _ table: Table, _ read: (Table) async throws(TableError) -> Success?
    ) async throws(TableError) -> Success {
        var current = table
        // Many attempts: clients that add columns may change it during several successive reads.
        for _ in 1...20 {
            do throws(TableError) {
                if current.isAway { throw .away(table.name) }
                if let success = try await read(current) { return success }
                try await writer.look()
                current = catalog.known(table.name) ?? current
            } catch {
                current = try await changed(current, after: error)
            }
        }
        throw .unavailable(detail: "the tables change faster than they can be read")
    }

    /// Derives something from the catalog's table, and again if that lacks a column that the database now has.
    func makeFresh<Success>(
        of table: Table, _ make: (Table) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        do throws(TableError) {
            if table.isAway { throw .away(table.name) }
            return try make(table)
        } catch {
            return try make(try await changed(table, after: error))
        }
    }

    /// Returns the table as the database now has it.
    /// - Throws: the error, unless a change of the table may have caused it.
    private func changed(_ table: Table, after error: TableError) async throws(TableError) -> Table {
        guard error.mayBeOutdated else { throw error }
        try await writer.look()
        guard let current = catalog.known(table.name), current !== table else { throw error }
        if current.isAway { throw .away(table.name) }
        return current
    }

    /// Reads on the caller's thread, in a transaction shared with other reads of the same turn of its event loop.
    /// - Parameter body: must not begin a transaction.
    func readBriefly<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try readers.readBriefly(catalog.commits, body)
    }

    /// Reads on the caller's thread, since a point read takes less time than a hop to another thread.
    func read<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try readers.read(body)
    }
}

extension SQLiteConnection {
    /// - Returns: false if there is no such row.
    fileprivate func visitRow<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]? = nil, includeDeleted: Bool, scope: RowScope? = nil,
        into row: inout Row
    ) throws(TableError) -> Bool {
        if select == nil, scope == nil {
            return try withFind(id, in: table, includeDeleted: includeDeleted) { cursor throws(TableError) in
                try Self.visitRow(of: cursor, table.layout, into: &row)
            }
        }
        let statement = try sql { () throws(QueryError) in
            let target = RowTarget(id, includesTombstones: includeDeleted, scope: scope)
            return try FindStatement(target, in: table, select: select, dialect: SQLiteDialect())
        }
        return try withStatement(statement.sql) { cursor throws(TableError) in
            try Self.visitRow(of: cursor, statement.layout, into: &row)
        }
    }

    private static func visitRow<Row: RowVisitor>(
        of cursor: SQLiteStatement, _ layout: RowLayout, into row: inout Row
    ) throws(TableError) -> Bool {
        guard try cursor.step() else { return false }
        row.begin(layout)
        var reader = SQLiteRowReader(statement: cursor, layout: layout)
        reader.visitRow(into: &row)
        return true
    }
}
