import Foundation
import Platform
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Returns what `open` would do to a database's schema. Nothing is changed: the changes are rolled back.
    ///
    /// - Returns: a line for each change; empty if the schema is up to date.
    /// - Throws: `definition` if the database can't be made to match the definitions.
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
        let session = WriteSession(connection, catalog: SQLiteTableCatalog([:]), clock: { SystemClock.now() })
        try session.join()
        try prepare(tables, servesClientTables: false, in: session, isTrial: true)
        return try listing(of: connection).changes(since: before)
    }

    private static func listing(of connection: SQLiteConnection) throws(TableError) -> SchemaListing {
        var listing = SchemaListing()
        let objects = try connection.rows(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
        for object in objects {
            let (kind, name) = (object.words(0), object.words(1))
            // The columns of a table are listed separately.
            listing.add("\(kind) \(name)", kind == "table" ? "" : object.words(2))
            for column in try kind == "table" ? connection.columns(of: name) : [] {
                listing.add("column \(name).\(column.name)", column.type)
            }
        }
        try connection.list(into: &listing)
        return listing
    }
}
