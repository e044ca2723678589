/// Something in a database that is not as it has to be, and what an operator can do about it.
public struct Finding: Sendable, Equatable {
    /// The table; nil where the whole database is meant.
    public let table: String?
    /// What is wrong.
    public let problem: String
    /// What to do.
    public let advice: String

    /// Puts a finding together.
    public init(table: String? = nil, _ problem: String, advice: String) {
        self.table = table
        self.problem = problem
        self.advice = advice
    }
}

extension Finding {
    /// Columns whose names clients of some generation can't tell from the server's own.
    ///
    /// - Parameter names: the names of all columns of the table, as the database has them.
    public static func shadows(among names: [String], of table: Identifier) -> [Finding] {
        names.compactMap { name in
            let isOwn = SystemColumn.allCases.contains { $0.rawValue == name }
            let bare = name.hasPrefix("__") ? String(name.dropFirst(2)) : name
            guard !isOwn, let system = SystemColumn(named: bare), system != .id || bare == name else { return nil }
            return Finding(
                table: table.text,
                "its column \(name) looks like the server's \(system.rawValue), and hides it or is hidden",
                advice: "rename the column: ALTER TABLE \"\(table)\" RENAME COLUMN \"\(name)\" TO …")
        }
    }
}
