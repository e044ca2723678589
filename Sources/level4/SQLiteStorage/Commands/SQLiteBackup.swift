import TableSQL
public import Tables

/// Copies of SQLite databases.
public enum SQLiteBackup {
    /// Why a copy was not made.
    public enum Fault: Error {
        /// The database can't be read.
        case source(TableError)
        /// The copy can't be written.
        case target(TableError)
    }

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
    public static func copy(_ path: String, to target: String) throws(Fault) {
        let connection = try reading(path)
        defer { connection.close() }
        do throws(TableError) {
            try connection.copyAll(to: target)
        } catch {
            throw isOfReading(error) ? .source(error) : .target(error)
        }
    }

    /// Opens the database, with its log and its index, so that they are not in the way later.
    private static func reading(_ path: String) throws(Fault) -> SQLiteConnection {
        do throws(TableError) {
            let connection = try SQLiteConnection(reading: path)
            _ = try connection.schemaVersion()
            return connection
        } catch {
            throw .source(error)
        }
    }

    /// Whether an error of copying is one of reading: SQLite reports all of them for the copy.
    private static func isOfReading(_ error: TableError) -> Bool {
        if FileDamage(error) != nil { return true }
        guard case .unavailable(let detail) = error, let code = SQLiteFailure.code(of: detail) else { return false }
        return SQLiteFailure.isOfReading(code)
    }
}
