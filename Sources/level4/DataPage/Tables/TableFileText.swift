import Access
import Tables

/// A table in the form of a definition file in the configuration's folder `tables`.
enum TableFileText {
    static func text(of table: PageTable) -> String {
        let rules = table.table.rules
        var lines = ["# \(table.table.name.text).yaml"]
        if rules.autoIncrement { lines.append("autoIncrement: true") }
        lines.append("dynamicSchema: \(rules.dynamicSchema)")
        lines.append("softDelete: \(rules.softDelete)")
        lines.append("pageSize: \(rules.pageSize)")
        if let most = rules.maxTop { lines.append("maxTop: \(most)") }
        lines += access(table.access)
        if !table.table.columns.isEmpty {
            lines.append("columns:")
            for column in table.table.columns { lines.append("  \(quoted(column.name.text)): \(column.type.rawValue)") }
        }
        if !table.indexes.isEmpty {
            lines.append("indexes:")
            for index in table.indexes {
                lines.append("  - [\(index.map { quoted($0.text) }.joined(separator: ", "))]")
            }
        }
        // Rules on rows are only summarized: the file that defines them has them in full.
        lines += table.behaviours.map { "# also: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func access(_ access: AccessRules) -> [String] {
        let levels = Operation.allCases.map { ($0, access.level(of: $0)) }
        if let first = levels.first, levels.allSatisfy({ $0.1 == first.1 }) { return ["access: \(first.1.rawValue)"] }
        return levels.map { "\($0.0.rawValue): { access: \($0.1.rawValue) }" }
    }

    /// Quotes a name that YAML would take for something else.
    private static func quoted(_ name: String) -> String {
        let words: Set<String> = ["y", "n", "yes", "no", "true", "false", "on", "off", "null"]
        return words.contains(name.lowercased()) ? "\"\(name)\"" : name
    }
}
