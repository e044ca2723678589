import Tables

/// A table in one line, for the operator.
enum TableSummary {
    /// `TodoItem: text string, complete boolean; dynamic schema, soft delete`.
    static func line(_ table: Table) -> String {
        let columns = table.columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
        var traits: [String] = []
        if table.rules.dynamicSchema { traits.append("dynamic schema") }
        if table.rules.softDelete { traits.append("soft delete") }
        if table.rules.autoIncrement { traits.append("integer ids") }
        for operation in Operation.allCases where table.rules.disabled.contains(operation) {
            traits.append("\(operation.rawValue) disabled")
        }
        let parts = [columns.isEmpty ? "no columns yet" : columns, traits.joined(separator: ", ")]
        return "\(table.name): " + parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
