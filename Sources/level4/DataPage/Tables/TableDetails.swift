import Access
import JSONText
import Tables

/// A table's columns, indexes and rules, as the page's script reads them.
enum TableDetails {
    static func json(of table: PageTable) -> JSONValue {
        [
            "name": .string(table.table.name.text), "softDelete": .boolean(table.table.rules.softDelete),
            "idKind": .string(table.table.rules.autoIncrement ? "number" : "text"),
            "columns": .array(table.table.fields.map(column)),
            "indexes": .array(table.indexes.map { JSONValue($0.map(\.text)) }), "rules": rules(of: table),
            "definition": .string(TableFileText.text(of: table)), "warnings": JSONValue(table.warnings),
        ]
    }

    /// Returns the access level of each operation.
    static func access(_ rules: AccessRules) -> JSONValue {
        .object(
            Operation.allCases.map { JSONMember($0.rawValue, .string(rules.level(of: $0).rawValue)) })
    }

    private static func column(_ field: Field) -> JSONValue {
        let kind: String
        let isSystem: Bool
        switch field {
        case .own(let column): (kind, isSystem) = (column.type.rawValue, false)
        case .system(let column):
            isSystem = true
            kind =
                switch column {
                case .id, .version: "string"
                case .createdAt, .updatedAt: "date"
                case .deleted: "boolean"
                }
        }
        return ["name": .string(field.name), "kind": .string(kind), "isSystem": .boolean(isSystem)]
    }

    private static func rules(of table: PageTable) -> JSONValue {
        let rules = table.table.rules
        return [
            "dynamicSchema": .boolean(rules.dynamicSchema), "pageSize": JSONValue(rules.pageSize),
            "maxTop": JSONValue(rules.maxTop), "madeByClients": .boolean(table.table.isClients),
            "access": access(table.access), "behaviours": JSONValue(table.behaviours),
        ]
    }
}
