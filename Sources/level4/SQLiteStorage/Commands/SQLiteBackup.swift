import TableSQL
public import Tables

/// A copy of a database file, while its server goes on writing.
public enum SQLiteBackup {
    /// Whether zumod has ever served the database.
    /// - Throws: `unavailable` where there is none, `failed` where it is no database at all, or a damaged one.
    public static func isOfZumod(_ path: String) throws(TableError) -> Bool {
        let connection = try SQLiteConnection(reading: path)
        defer { connection.close() }
        let complaints = try connection.rows("PRAGMA quick_check(10000)").map { $0.words(0) }
        if let damage = FileDamage.damages(among: complaints).first {
            throw .failed(detail: "the copy is damaged: \(damage)")
        }
        return try SchemaVersionStatus(on: connection).isKnown
    }

    /// Copies the database as it is at one moment. The copy may still be in the system's memory afterwards.
    ///
    /// - Parameter target: a file that isn't there yet.
    /// - Throws: `unavailable` where there is no database, `full` where the copy has no room.
    public static func copy(_ path: String, to target: String) throws(TableError) {
        let connection = try SQLiteConnection(reading: path)
        defer { connection.close() }
        try connection.copyAll(to: target)
    }
}
