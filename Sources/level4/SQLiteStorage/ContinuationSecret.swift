import ByteText
import TableSQL
import Tables

extension SQLiteConnection {
    /// Returns the database's key for sealing continuations, inside an open transaction. It is created once, so that
    /// links stay valid across restarts; a new one in place of an invalid one only invalidates earlier links.
    func continuationSecret() throws(TableError) -> [UInt8] {
        let kept = try rows("SELECT hexadecimal FROM zumod_secrets WHERE name = 'continuation'").first
        if let key = [UInt8](hexText: kept?.words(0) ?? ""), key.count == 32 { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try run(
            "INSERT OR REPLACE INTO zumod_secrets (name, hexadecimal) VALUES ('continuation', ?1)",
            [.text(key.hexText)])
        return key
    }
}
