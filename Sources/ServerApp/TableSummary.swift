import Access
import Tables

/// A table in one line, for the operator.
enum TableSummary {
    /// `TodoItem: text string, complete boolean; dynamic schema, soft delete`.
    static func line(_ table: Table, _ access: AccessRules) -> String {
        let columns = table.columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
        var traits: [String] = []
        if table.rules.dynamicSchema { traits.append("dynamic schema") }
        if table.rules.softDelete { traits.append("soft delete") }
        if table.rules.autoIncrement { traits.append("integer ids") }
        let levels = Operation.allCases.map { (operation: $0, level: access.level(of: $0)) }
        if let first = levels.first, levels.allSatisfy({ $0.level == first.level }) {
            traits.append("for \(first.level.rawValue)")
        } else {
            traits.append(levels.map { "\($0.operation.rawValue) \($0.level.rawValue)" }.joined(separator: ", "))
        }
        let parts = [columns.isEmpty ? "no columns yet" : columns, traits.joined(separator: ", ")]
        return "\(table.name): " + parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
