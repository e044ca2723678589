import Access
import JSONText
import Tables

/// A table's columns, indexes and rules, as the page's script reads them.
enum TableDetails {
    static func json(of table: PageTable) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.value(
            .object([
                JSONMember("name", .string(table.table.name.text)),
                JSONMember("softDelete", .boolean(table.table.rules.softDelete)),
                JSONMember("idKind", .string(table.table.rules.autoIncrement ? "number" : "text")),
                JSONMember("columns", .array(table.table.fields.map(column))),
                JSONMember(
                    "indexes", .array(table.indexes.map { .array($0.map { .string($0.text) }) })),
                JSONMember("rules", rules(of: table)),
                JSONMember("definition", .string(TableFileText.text(of: table))),
                JSONMember("warnings", .array(table.warnings.map { .string($0) })),
            ]))
        return json.bytes
    }

    /// The level of each operation.
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
        return .object([
            JSONMember("name", .string(field.name)), JSONMember("kind", .string(kind)),
            JSONMember("isSystem", .boolean(isSystem)),
        ])
    }

    private static func rules(of table: PageTable) -> JSONValue {
        let rules = table.table.rules
        return .object([
            JSONMember("dynamicSchema", .boolean(rules.dynamicSchema)),
            JSONMember("pageSize", .integer(Int64(rules.pageSize))),
            JSONMember("maxTop", rules.maxTop.map { .integer(Int64($0)) } ?? .null),
            JSONMember("madeByClients", .boolean(table.table.isClients)),
            JSONMember("access", access(table.access)),
            JSONMember("behaviours", .array(table.behaviours.map { .string($0) })),
        ])
    }
}
