import ByteText

/// Names in a PostgreSQL database: the table's own name if PostgreSQL can hold it.
///
/// PostgreSQL truncates names to 63 bytes and reserves some column names. Such a name gets a suffix that no table or
/// column can have, and the original is stored as a comment.
public enum PostgresName {
    /// The mark in names that differ from the table's or column's own.
    public static let mark: Character = "~"

    private static let maximumLength = 63
    private static let reserved: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Returns the name in the database.
    public static func physical(_ name: String) -> String {
        if reserved.contains(name) { return name + String(mark) }
        guard name.utf8.count > maximumLength else { return name }
        return String(name.prefix(maximumLength - 17)) + String(mark) + fingerprint(of: name).hexText
    }

    /// Computes FNV-1a: it is the same in every process, and 64 bits keep a table's names apart.
    private static func fingerprint(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
