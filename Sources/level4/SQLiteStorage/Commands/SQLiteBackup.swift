import TableSQL
public import Tables

/// Copies a database file while its server keeps writing.
public enum SQLiteBackup {
    /// Whether zumod has ever served the database.
    /// - Throws: `unavailable` if it doesn't exist, `failed` if it isn't a database or is damaged.
    public static func isOfZumod(_ path: String) throws(TableError) -> Bool {
        let connection = try SQLiteConnection(reading: path)
        defer { connection.close() }
        let complaints = try connection.rows("PRAGMA quick_check(10000)").map { $0.words(0) }
        if let damage = FileDamage.damages(among: complaints).first {
            throw .failed(detail: "the copy is damaged: \(damage)")
        }
        return try SchemaVersionStatus(on: connection).isKnown
    }

    /// Copies the database as it is at one moment. Afterwards the copy may not be on disk yet.
    ///
    /// - Parameter target: the path of a file that doesn't exist yet.
    /// - Throws: `unavailable` if there is no database, `full` if there is no room for the copy.
    public static func copy(_ path: String, to target: String) throws(TableError) {
        let connection = try SQLiteConnection(reading: path)
        defer { connection.close() }
        try connection.copyAll(to: target)
    }
}
