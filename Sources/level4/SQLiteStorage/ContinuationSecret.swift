import ByteText
import TableSQL
import Tables

/// The database's key for sealing continuations. It is created once, so that links stay valid across restarts.
enum ContinuationSecret {
    private static let length = 32

    /// Runs inside an open transaction.
    static func key(in connection: SQLiteConnection) throws(TableError) -> [UInt8] {
        if let key = try storedKey(in: connection) { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try connection.run(
            "INSERT OR REPLACE INTO zumod_secrets (name, hexadecimal) VALUES ('continuation', ?1)",
            [.text(key.hexText)])
        return key
    }

    /// - Returns: nil if there is none or it isn't valid; a new one only invalidates earlier links.
    private static func storedKey(in connection: SQLiteConnection) throws(TableError) -> [UInt8]? {
        let kept = try connection.rows("SELECT hexadecimal FROM zumod_secrets WHERE name = 'continuation'").first
        return [UInt8](hexText: kept?.words(0) ?? "").flatMap { $0.count == length ? $0 : nil }
    }
}
