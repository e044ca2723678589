import CSQLite
import Tables

/// Tells damage of a database file from what another program did: a backup helps only against damage.
struct FileDamage {
    /// What SQLite said.
    let detail: String

    /// - Returns: nil if an error says nothing about the file.
    init?(_ error: TableError) {
        guard case .failed(let detail) = error, let code = SQLiteFailure.code(of: detail),
            [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
        else { return nil }
        self.detail = detail
    }

    var finding: Finding {
        guard !detail.contains("malformed database schema") else {
            return Finding(
                .unreadableSchema, "a part of the schema can't be read: \(detail)",
                advice:
                    "drop that part with the program that made it; where none did, the file is damaged: \(Self.restore)"
            )
        }
        return Finding(.damagedFile, "the file can't be read to its end: \(detail)", advice: Self.restore)
    }

    /// What the lines of SQLite's integrity check mean. It also reports rows that break rules of their tables, one line
    /// for each.
    static func findings(for complaints: [String]) -> [Finding] {
        let damages = damages(among: complaints).prefix(10).map {
            Finding(.damagedFile, "the file is damaged: \($0)", advice: restore)
        }
        return damages
            + Set(complaints.filter(isOfRules)).sorted().map {
                Finding(
                    .brokenRule, "rows break a rule that another program gave their table: \($0)",
                    advice: "mend these rows, or drop the rule; the file itself is whole, and its rows are served")
            }
    }

    /// The lines that report damage.
    static func damages(among complaints: [String]) -> [String] {
        complaints.filter { $0 != "ok" && !isOfRules($0) }
    }

    /// Whether a line is about values that a rule of their table forbids: they were there before the rule, or got past
    /// it.
    private static func isOfRules(_ complaint: String) -> Bool {
        if complaint.hasPrefix("CHECK constraint failed in ") || complaint.hasPrefix("NULL value in ") { return true }
        // Of a STRICT table, such as `non-INT value in t.a`, or `TEXT value in t.a` where numbers are meant.
        let words = complaint.split(separator: " ", maxSplits: 3)
        return words.count == 4 && words[1] == "value" && words[2] == "in"
    }

    private static let restore = """
        stop the server, keep a copy of the file with its -wal, and restore the last backup; `sqlite3 FILE .dump` \
        gets rows out of what is left
        """
}
