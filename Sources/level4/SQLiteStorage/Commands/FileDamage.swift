import CSQLite
import Tables

/// Tells a damaged database file from changes by another program: a backup helps only against damage.
struct FileDamage {
    /// SQLite's message.
    let detail: String

    /// - Returns: nil if the error says nothing about the file.
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

    /// Returns the findings for the lines of SQLite's integrity check, which also has a line for each row that violates
    /// a rule of its table.
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

    /// Returns the lines that report damage.
    static func damages(among complaints: [String]) -> [String] {
        complaints.filter { $0 != "ok" && !isOfRules($0) }
    }

    /// Whether a line is about a value that a rule of its table forbids: it was there before the rule, or got past it.
    private static func isOfRules(_ complaint: String) -> Bool {
        if complaint.hasPrefix("CHECK constraint failed in ") || complaint.hasPrefix("NULL value in ") { return true }
        // In a STRICT table: `non-INT value in t.a`, or `TEXT value in t.a` in a column for numbers.
        let words = complaint.split(separator: " ", maxSplits: 3)
        return words.count == 4 && words[1] == "value" && words[2] == "in"
    }

    private static let restore = """
        stop the server, keep a copy of the file with its -wal, and restore the last backup; `sqlite3 FILE .dump` \
        gets rows out of what is left
        """
}
