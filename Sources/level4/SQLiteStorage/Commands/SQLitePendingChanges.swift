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
        let objects = try connection.rows(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
        for object in objects {
            let (kind, name) = (object.words(0), object.words(1))
            // A table's columns are listed by themselves.
            listing.add("\(kind) \(name)", kind == "table" ? "" : object.words(2))
            for column in try kind == "table" ? connection.columns(of: name) : [] {
                listing.add("column \(name).\(column.name)", column.type)
            }
        }
        try connection.list(into: &listing)
        return listing
    }
}
