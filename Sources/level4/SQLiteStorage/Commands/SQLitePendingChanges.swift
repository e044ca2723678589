import Foundation
import Platform
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Says what `open` would do to a database's schema, and changes nothing: what it does is taken back.
    ///
    /// - Returns: a line for each change; none where the schema is as it has to be.
    /// - Throws: `definition` where the database can't be what the definitions say.
    public static func pendingChanges(
        of location: SQLiteLocation, tables: [TableDefinition]
    ) throws(TableError) -> [String] {
        let connection: SQLiteConnection
        if case .file(let path) = location, !ReadObstacle.isAbsent(path) {
            connection = try SQLiteConnection(location, role: .writer)
        } else {
            try SQLiteFolder.check(location)
            connection = try SQLiteConnection(.memory, role: .writer)
        }
        defer { connection.close() }
        let before = try listing(of: connection)
        try connection.run("BEGIN IMMEDIATE")
        defer { try? connection.run("ROLLBACK") }
        try connection.migrate()
        let session = WriteSession(connection, catalog: TableCatalog([:]), clock: { SystemClock.now() })
        try session.join()
        try prepare(tables, servesClientTables: false, in: session, isTrial: true)
        return try listing(of: connection).changes(since: before)
    }

    private static func listing(of connection: SQLiteConnection) throws(TableError) -> SchemaListing {
        var listing = SchemaListing()
        var tables: [String] = []
        try connection.query(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        ) { row in
            let isTable = row.string(at: 0) == "table"
            if isTable { tables.append(row.string(at: 1)) }
            // A table's columns are listed by themselves.
            listing.add("\(row.string(at: 0)) \(row.string(at: 1))", isTable ? "" : row.string(at: 2))
        }
        for table in tables {
            for column in try connection.columns(of: table) {
                listing.add("column \(table).\(column.name)", column.type)
            }
        }
        try connection.list(into: &listing)
        return listing
    }
}
