import ByteText
import Tables

/// The database's key for the seal on continuations. It is made once, so that links outlive the server.
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

    /// - Returns: nil where there is none, or what is there is no key; a new one only ends the links of before.
    private static func storedKey(in connection: SQLiteConnection) throws(TableError) -> [UInt8]? {
        var digits = ""
        try connection.query("SELECT hexadecimal FROM zumod_secrets WHERE name = 'continuation'") {
            digits = $0.string(at: 0)
        }
        return [UInt8](hexText: digits).flatMap { $0.count == length ? $0 : nil }
    }
}
