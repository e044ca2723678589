package import Access
import Scalars
package import Tables

/// Describes tables for operators. Behaviours are passed in as text.
package enum TableSummary {
    /// `TodoItem: text string, complete boolean; dynamic schema, soft delete`.
    package static func line(_ table: Table, _ access: AccessRules, _ behaviours: [String]) -> String {
        if table.isAway { return TableError.away(table.name).detail }
        let columns = table.columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
        var traits: [String] = []
        if table.rules.dynamicSchema { traits.append("dynamic schema") }
        if table.rules.softDelete { traits.append("soft delete") }
        if table.rules.autoIncrement { traits.append("integer ids") }
        traits += behaviours
        let levels = Operation.allCases.map { (operation: $0, level: access.level(of: $0)) }
        if let first = levels.first, levels.allSatisfy({ $0.level == first.level }) {
            traits.append("for \(first.level.rawValue)")
        } else {
            traits.append(levels.map { "\($0.operation.rawValue) \($0.level.rawValue)" }.joined(separator: ", "))
        }
        let parts = [columns.isEmpty ? "no columns yet" : columns, traits.joined(separator: ", ")]
        return "\(table.name): " + parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Returns the full description: a line for each column and operation.
    package static func lines(_ table: Table, _ access: AccessRules, _ behaviours: [String]) -> [String] {
        var rules: [String] = []
        rules.append(table.rules.autoIncrement ? "integer ids" : "text ids")
        rules.append(table.rules.dynamicSchema ? "dynamic schema" : "fixed columns")
        rules.append(table.rules.softDelete ? "soft delete" : "deleted rows are gone")
        return [
            "\(table.name): \(rules.joined(separator: ", "))",
            "pages of \(table.rules.pageSize) rows; $top may ask for \(most(table.rules.maxTop))",
        ] + (table.columns.isEmpty ? ["no columns yet"] : table.columns.map { "column \($0.name) \($0.type.rawValue)" })
            + behaviours + Operation.allCases.map { "\($0.rawValue) for \(access.level(of: $0).rawValue)" }
    }

    private static func most(_ maxTop: Int?) -> String {
        switch maxTop {
        case nil: "\(TableRules.maxTop) rows, in v3 for \(TableRules.datasyncMaxTop)"
        case 0: "any number of rows"
        case let most?: "\(most) rows"
        }
    }

    /// Describes what happens to the table's deleted rows.
    package static func tombstones(keptFor age: Duration?, _ kept: SnapshotTable?) -> [String] {
        let days = age.map { $0.components.seconds / 86_400 }
        var lines = ["tombstones are kept \(days.map { "for \($0) \($0 == 1 ? "day" : "days")" } ?? "for ever")"]
        guard let kept else { return lines }
        if let fence = kept.marks.purgedThrough {
            lines.append(
                "purged through \(fence.wireText): devices that synced last before that may have missed deletes")
        } else {
            lines.append("no tombstone was purged yet")
        }
        return lines
    }
}
