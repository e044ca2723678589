import Tables

/// The database's key for the seal on continuations. It is made once, so that links outlive the server.
enum ContinuationSecret {
    private static let length = 32

    /// Runs inside an open transaction.
    static func key(in connection: SQLiteConnection) throws(TableError) -> [UInt8] {
        if let key = try storedKey(in: connection) { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let digits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try connection.run(
            "INSERT OR REPLACE INTO zumod_secrets (name, hexadecimal) VALUES ('continuation', ?1)", [.text(digits)])
        return key
    }

    /// - Returns: nil where there is none, or what is there is no key; a new one only ends the links of before.
    private static func storedKey(in connection: SQLiteConnection) throws(TableError) -> [UInt8]? {
        var digits = ""
        try connection.query("SELECT hexadecimal FROM zumod_secrets WHERE name = 'continuation'") {
            digits = $0.string(at: 0)
        }
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == 2 * length, digits.count == values.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
