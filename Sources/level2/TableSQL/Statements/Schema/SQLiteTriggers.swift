import ByteText
public import Tables

/// The triggers that assign a version and stamp to rows written by other programs, such as the sqlite3 shell, and turn
/// rows that they delete into tombstones.
///
/// Whatever such a program says of versions and stamps, it gets new ones. They only use built-in functions, one of
/// which the server's connection replaces to tell its own writes apart.
public struct SQLiteTriggers: Sendable {
    /// Each trigger's name and the text that creates it; nil for one that the table must not have.
    public let all: [(name: String, text: String?)]
    /// The names of those that assign versions, which tables have had in every version of the server.
    public let stamping: [String]

    /// - Parameters:
    ///   - table: the table's name, which is also part of the triggers' names.
    ///   - softDelete: whether deleted rows become tombstones.
    public init(for table: Identifier, softDelete: Bool) {
        let renew = """
                UPDATE zumod_counters SET value = value + 1 WHERE name = 'version';
                UPDATE zumod_tables SET last_stamp = max(last_stamp + 1, \(Self.now)) WHERE name = '\(table.text)';
            \(Self.beginRenewal)
            """
        let version = "\"version\" = \(Self.lastVersion)"
        let stamp = """
            (SELECT strftime('%Y-%m-%dT%H:%M:%S', last_stamp / 1000, 'unixepoch') \
            || printf('.%03dZ', last_stamp % 1000) FROM zumod_tables WHERE name = '\(table.text)')
            """
        // In an UPDATE of a table called `new` or `old`, that name means the table, with all its rows. A query without
        // FROM gets the trigger's row. The triggers of other tables keep their text.
        let isNamedAsRow = ["new", "old"].contains(table.text.lowercased())
        func row(_ name: String, _ column: String) -> String {
            isNamedAsRow ? "(SELECT \(name).\"\(column)\")" : "\(name).\"\(column)\""
        }
        let inserted = "zumod_\(table.text).inserted"
        let updated = "zumod_\(table.text).updated"
        let deleted = "zumod_\(table.text).deleted"
        stamping = [inserted, updated]
        // The update fires the trigger above; the row itself stays, as does a previous tombstone.
        let keep = """
            CREATE TRIGGER "\(deleted)" BEFORE DELETE ON "\(table.text)"
            WHEN NOT EXISTS (SELECT 1 FROM zumod_counters WHERE name = '\(Self.removal(from: table))')
            BEGIN
                UPDATE "\(table.text)" SET "deleted" = 1 WHERE "id" = \(row("OLD", "id")) AND "deleted" = 0;
                SELECT RAISE(IGNORE);
            END
            """
        all = [
            (
                inserted,
                """
                CREATE TRIGGER "\(inserted)" AFTER INSERT ON "\(table.text)" WHEN NEW."version" IS NULL\(Self.orForeign)
                BEGIN
                    \(Self.room)
                \(renew)
                    UPDATE "\(table.text)" SET \(version), "updatedAt" = \(stamp), \
                "createdAt" = coalesce(\(row("NEW", "createdAt")), \(stamp)) WHERE "id" = \(row("NEW", "id"));
                \(Self.endRenewal)
                END
                """
            ),
            (
                updated,
                """
                CREATE TRIGGER "\(updated)" AFTER UPDATE ON "\(table.text)" WHEN (NEW."version" IS OLD."version"\
                \(Self.orForeign)\(Self.unlessMarked)
                BEGIN
                \(renew)
                    UPDATE "\(table.text)" SET \(version), "updatedAt" = \(stamp) WHERE "id" = \(row("NEW", "id"));
                \(Self.endRenewal)
                END
                """
            ),
            (deleted, softDelete ? keep : nil),
        ]
    }

    /// Returns whether a trigger is as an earlier version of the server created it. Such a trigger has seen all writes:
    /// if that version ran again, it would create its own again.
    public func isFormer(_ name: String, _ text: String, of table: Identifier) -> Bool {
        guard let current = all.first(where: { $0.name.isExactly(name) })?.text else { return false }
        // Those that left alone what set the version itself.
        let news = [Self.orForeign, Self.unlessMarked, "\n\(Self.beginRenewal)", "\n\(Self.endRenewal)"]
        var former = news.reduce(current) { $0.replacing($1, with: "") }.replacing("WHEN (NEW.", with: "WHEN NEW.")
        if text.isExactly(former) { return true }
        former = former.replacing("    \(Self.room)\n", with: "")
        former = former.replacing("'\(Self.removal(from: table))'", with: "'removing'")
        for (column, row) in [("id", "NEW"), ("createdAt", "NEW"), ("id", "OLD")] {
            former = former.replacing("(SELECT \(row).\"\(column)\")", with: "\(row).\"\(column)\"")
        }
        return text.isExactly(former)
    }

    /// The statement after which, until `endRemoval` in the same transaction, deleted rows of a table are removed for
    /// good. Its binding is the table's `removal(from:)`.
    public static let beginRemoval = "INSERT INTO zumod_counters (name, value) VALUES (?1, 1)"
    /// Ends `beginRemoval`.
    public static let endRemoval = "DELETE FROM zumod_counters WHERE name = ?1"

    /// Returns the mark that rows of a table are being removed.
    public static func removal(from table: Identifier) -> String { "removing \(table.text.lowercased())" }

    /// The function that the server's connection replaces, by one that returns 0 while the server itself writes. Every
    /// program has it, and none needs it in a trigger; SQLite's own returns a text.
    public static let writer = "sqlite_source_id"

    /// Holds for what another program writes, a script included. For the server's own rows nothing more is asked.
    private static let orForeign = "\n    OR \(writer)() <> 0"
    /// Holds unless it is these triggers that write: they mark the version that they give. Being the last one says
    /// nothing, as a program that counts versions by itself may come to the same.
    private static let unlessMarked =
        ") AND NOT EXISTS (SELECT 1 FROM zumod_counters WHERE name = 'renewing ' || NEW.\"version\")"
    private static let beginRenewal =
        "    INSERT INTO zumod_counters (name, value) VALUES ('renewing ' || \(lastVersion), \(lastVersion));"
    /// Removes the last mark: triggers of other programs may have other rows renewed meanwhile, or the same again.
    private static let endRenewal = """
            DELETE FROM zumod_counters WHERE name = (SELECT name FROM zumod_counters WHERE name GLOB 'renewing *' \
        ORDER BY value DESC LIMIT 1);
        """
    private static let lastVersion = "(SELECT value FROM zumod_counters WHERE name = 'version')"

    /// Refuses an id so high that it leaves no room for later rows.
    private static let room = """
        SELECT RAISE(ABORT, 'zumod: the id is too high, it leaves no room for those of later rows') \
        WHERE typeof(NEW."id") = 'integer' AND NEW."id" > \(RowID.highestNumber);
        """

    /// The clock's milliseconds since 1970.
    private static let now =
        "CAST(strftime('%s', 'now') AS INTEGER) * 1000 + CAST(substr(strftime('%f', 'now'), 4, 3) AS INTEGER)"
}
