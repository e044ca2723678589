import Access
import HTTPModel
import JSONText
import RouteDescription
import TableOperations
import Tables
import ZumoProtocol

/// One operation on one table: its input and its answers.
struct DescribedCall {
    let method: HTTPMethod
    let operation: Operation
    let hasID: Bool
    let table: Table
    let generation: any TableGeneration
    let behaviour: TableBehaviour
    let settings: TableSettings
    let rows: RowSchemas
    /// The operations on the table that are disabled.
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

    /// Whether the operation is about an existing row.
    var isOnRow: Bool { operation != .insert && (hasID || operation != .read) }

    /// Whether the rows have versions in this generation.
    var hasVersions: Bool { !described.hasServicesColumns || !table.rules.autoIncrement }

    /// Whether some rows are hidden from some callers.
    var hidesRows: Bool { behaviour.ownerColumn != nil || behaviour.rule != nil || behaviour.lifetime != nil }

    var body: [DescribedContent] {
        switch operation {
        case .read, .delete: []
        // v1 refuses a body here, the others ignore it.
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
    /// The JSON schema of a patch.
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
