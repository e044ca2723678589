import Foundation
import TableSQL
public import Tables

/// A copy of a database file, while its server goes on writing.
public enum SQLiteBackup {
    /// Whether zumod has ever served the database.
    /// - Throws: `unavailable` where there is none, `failed` where it is no database at all, or a damaged one.
    public static func isOfZumod(_ path: String) throws(TableError) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else {
            throw FileObstacle.absence(of: path)
        }
        let connection = try SQLiteConnection(.file(path), role: .reader)
        defer { connection.close() }
        var complaints: [String] = []
        try connection.query("PRAGMA quick_check(10000)") { complaints.append($0.string(at: 0)) }
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
        guard FileManager.default.fileExists(atPath: path) else {
            throw FileObstacle.absence(of: path)
        }
        let connection = try SQLiteConnection(.file(path), role: .reader)
        defer { connection.close() }
        try connection.copyAll(to: target)
    }
}
