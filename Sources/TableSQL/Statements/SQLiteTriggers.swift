public import Tables

/// The triggers that give a row written by another program, such as the sqlite3 shell, its version and stamp.
///
/// A statement that sets the version itself, as all of zumod's do, doesn't fire them. They use built-in functions only.
public struct SQLiteTriggers: Sendable {
    /// Each trigger's name and the text that makes it.
    public let all: [(name: String, text: String)]

    /// - Parameter table: the table's name, which is also part of the triggers' names.
    public init(for table: Identifier) {
        let renew = """
                UPDATE zumod_counters SET value = value + 1 WHERE name = 'version';
                UPDATE zumod_tables SET last_stamp = max(last_stamp + 1, \(Self.now)) WHERE name = '\(table.text)';
            """
        let version = #""version" = (SELECT value FROM zumod_counters WHERE name = 'version')"#
        let stamp = """
            (SELECT strftime('%Y-%m-%dT%H:%M:%S', last_stamp / 1000, 'unixepoch') \
            || printf('.%03dZ', last_stamp % 1000) FROM zumod_tables WHERE name = '\(table.text)')
            """
        let inserted = "zumod_\(table.text).inserted"
        let updated = "zumod_\(table.text).updated"
        all = [
            (
                inserted,
                """
                CREATE TRIGGER "\(inserted)" AFTER INSERT ON "\(table.text)" WHEN NEW."version" IS NULL
                BEGIN
                \(renew)
                    UPDATE "\(table.text)" SET \(version), "updatedAt" = \(stamp), \
                "createdAt" = coalesce(NEW."createdAt", \(stamp)) WHERE "id" = NEW."id";
                END
                """
            ),
            (
                updated,
                """
                CREATE TRIGGER "\(updated)" AFTER UPDATE ON "\(table.text)" WHEN NEW."version" IS OLD."version"
                BEGIN
                \(renew)
                    UPDATE "\(table.text)" SET \(version), "updatedAt" = \(stamp) WHERE "id" = NEW."id";
                END
                """
            ),
        ]
    }

    /// The clock's millisecond since 1970.
    private static let now =
        "CAST(strftime('%s', 'now') AS INTEGER) * 1000 + CAST(substr(strftime('%f', 'now'), 4, 3) AS INTEGER)"
}
