import Access
import HTTPModel
import JSONText
import RouteDescription
import TableOperations
import Tables
import ZumoProtocol

/// One operation on one table: what it takes, and what it answers.
struct DescribedCall {
    let method: HTTPMethod
    let operation: Operation
    let hasID: Bool
    let table: Table
    let generation: any TableGeneration
    let behaviour: TableBehaviour
    let settings: TableSettings
    let rows: RowSchemas
    /// What nobody may do with the table.
    let disabled: [Operation]

    init(method: HTTPMethod, operation: Operation, hasID: Bool, of description: TableDescription) {
        self.method = method
        self.operation = operation
        self.hasID = hasID
        table = description.table
        generation = description.generation
        behaviour = description.behaviour
        settings = description.settings
        rows = description.rows
        disabled = Operation.allCases.filter {
            description.operations.decision(on: $0, of: description.table, for: .admin(nil)) == .disabled
        }
    }

    var described: DescribedGeneration { generation.described }

    /// Whether the operation is about a row that exists.
    var isOnRow: Bool { operation != .insert && (hasID || operation != .read) }

    /// Whether the rows have versions that the generation knows.
    var hasVersions: Bool { !described.hasServicesColumns || !table.rules.autoIncrement }

    /// Whether some callers are not shown some rows.
    var hidesRows: Bool { behaviour.ownerColumn != nil || behaviour.rule != nil || behaviour.lifetime != nil }

    var body: [DescribedContent] {
        switch operation {
        case .read, .delete: []
        // v1 refuses a body there, the others ignore it.
        case .undelete: []
        case .insert: [DescribedContent(rows.new, as: RequestBody.json[0])]
        case .update where method == .put: [DescribedContent(rows.replacement, as: RequestBody.json[0])]
        case .update where described.takesPatches:
            [
                DescribedContent(rows.change, as: RequestBody.json[0]),
                DescribedContent(JSONPatch.schema, as: JSONPatch.mediaType),
            ]
        case .update: [DescribedContent(rows.change, as: RequestBody.json[0])]
        }
    }

    var isBodyOptional: Bool { described.isBodyOptional && (operation == .insert || hasID) }
}

extension JSONPatch {
    /// A patch, as a JSON schema.
    static let schema: JSONValue = [
        "type": "array", "description": "RFC 6902; a path is a slash and a column.",
        "items": [
            "type": "object", "required": ["op", "path"],
            "properties": [
                "op": ["type": "string"], "path": ["type": "string"], "from": ["type": "string"], "value": [:],
            ],
        ],
    ]
}
