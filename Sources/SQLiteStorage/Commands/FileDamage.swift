import CSQLite
import Tables

/// What says of a database file that it is damaged, and what is another program's doing: a backup helps against the one alone.
struct FileDamage {
    /// What SQLite said.
    let detail: String

    /// - Returns: nil where an error says nothing of the file.
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

    /// What the lines of SQLite's check of a file's integrity mean: it tells of rows that break rules of their tables, too, a
    /// line for each.
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

    /// The lines that tell of damage.
    static func damages(among complaints: [String]) -> [String] {
        complaints.filter { $0 != "ok" && !isOfRules($0) }
    }

    /// Whether a line is about values that a rule of their table forbids, which were there before it or came past it.
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
