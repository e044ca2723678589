/// Something wrong in a database, and what an operator can do about it.
public struct Finding: Sendable, Equatable {
    /// The table; nil for the whole database.
    public let table: String?
    /// What is wrong.
    public let problem: String
    /// What to do, as text.
    public let advice: String
    /// The statements that do it, complete and in order, one by one, as sqlite3 or psql take them; empty if there is
    /// only advice.
    public let sql: [String]
    /// The kind of problem.
    public let kind: Kind

    /// The kinds of problems. Tests provoke each of them and follow the advice.
    public enum Kind: String, Sendable, CaseIterable {
        case otherSchema, goneTable, lostColumn, lostDefinedColumn, missingIndex, invalidIndex, trigger, loss
        case repeatedStamps, disorder, lateStamp, highVersion, highID, oddCells, visibleTombstones, nullMark,
            fineStamps, shadow, room, unfitValues, spelling, obstacle
        case damagedFile, brokenRule, unreadableSchema, strayReference, journal, serverSetting, function, secret
    }

    /// Creates a finding.
    public init(
        _ kind: Kind, table: String? = nil, _ problem: String, advice: String, sql: [String] = []
    ) {
        self.kind = kind
        self.table = table
        self.problem = problem
        self.advice = advice
        self.sql = sql
    }

    /// The finding as shown to an operator: the problem, the advice, and the statements, ready to paste.
    public var lines: [String] {
        let statements = sql.flatMap { "\($0);".split(separator: "\n", omittingEmptySubsequences: false) }
        return ["\(table.map { "table \($0)" } ?? "database"): \(problem)", "    \(advice)"]
            + statements.map { "    \($0)" }
    }
}

extension Finding {
    /// Returns findings for columns whose names clients of some generation can't distinguish from the server's own.
    ///
    /// - Parameters:
    ///   - names: the names of all columns of the table, as the database has them.
    ///   - relation: the table's name in the database.
    public static func shadows(among names: [String], of table: Identifier, in relation: String) -> [Finding] {
        var taken = Set(names.map { $0.lowercased() })
        return names.compactMap { name in
            let isOwn = SystemColumn.allCases.contains { $0.rawValue == name }
            let bare = name.hasPrefix("__") ? String(name.dropFirst(2)) : name
            guard !isOwn, let system = SystemColumn(named: bare), system != .id || bare == name else { return nil }
            var free = "own_\(bare)"
            while !taken.insert(free.lowercased()).inserted { free += "_" }
            return Finding(
                .shadow, table: table.text,
                "its column \(name) looks like the server's \(system.rawValue), and hides it or is hidden",
                advice: "rename the column while no server runs, here to \(free):",
                sql: ["ALTER TABLE \"\(relation)\" RENAME COLUMN \"\(name)\" TO \"\(free)\""])
        }
    }
}
