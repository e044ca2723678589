import Foundation
import Platform
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Checks whether `open` would succeed, and changes nothing.
    ///
    /// If the database has all migrations, it is used itself, in a transaction that is rolled back. If it is missing or
    /// of an older version, an empty one in memory is used instead.
    /// - Returns: the tables that would be served, by name.
    public static func check(
        _ location: SQLiteLocation, tables: [TableDefinition], servesClientTables: Bool
    ) throws(TableError) -> [Table] {
        try SQLiteFolder.check(location)
        let session = WriteSession(
            try trial(of: location), catalog: SQLiteTableCatalog([:]), clock: { SystemClock.now() })
        try session.begin()
        defer { session.rollback() }
        try prepare(tables, servesClientTables: false, in: session, isTrial: true)
        var served = tables.compactMap { session.knownTable(named: $0.name) }
        if servesClientTables {
            served += try SQLiteSchemaPreparation(session).clientTables(besides: Set(tables.map(\.name)))
        }
        return served.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    private static func trial(of location: SQLiteLocation) throws(TableError) -> SQLiteConnection {
        if case .file(let path) = location, !ReadObstacle.isAbsent(path) {
            let connection = try SQLiteConnection(reading: path)
            if try SchemaVersionStatus(on: connection).pending.isEmpty {
                return try SQLiteConnection(location, role: .writer)
            }
        }
        let empty = try SQLiteConnection(.memory, role: .writer)
        try empty.migrateAlone()
        return empty
    }
}
