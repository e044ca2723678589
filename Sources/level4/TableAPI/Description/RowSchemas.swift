import JSONText
import OData
import RouteDescription
import TableOperations
import Tables
import ZumoProtocol

/// The JSON schemas of a table's rows as one generation reads and writes them.
struct RowSchemas {
    let table: Table
    let generation: any TableGeneration
    let behaviour: TableBehaviour

    private var described: DescribedGeneration { generation.described }

    private enum Kind: String, CaseIterable {
        case row = ""
        case list = "-list"
        case new = "-new"
        case change = "-change"
        case replacement = "-replacement"
    }

    private func reference(_ kind: Kind) -> JSONValue { .reference(to: table.name.text + kind.rawValue) }

    /// A row in an answer.
    var row: JSONValue { reference(.row) }
    /// A page of rows.
    var list: JSONValue { reference(.list) }
    /// The body of an insert.
    var new: JSONValue { reference(.new) }
    /// The body of an update.
    var change: JSONValue { reference(.change) }
    /// The body of a PUT.
    var replacement: JSONValue { reference(.replacement) }

    /// All schemas, for the document.
    var schemas: [JSONMember] {
        let kinds = Kind.allCases.filter { $0 != .replacement || described.takesPatches }
        return kinds.map { JSONMember(table.name.text + $0.rawValue, schema($0)) }
    }

    private func schema(_ kind: Kind) -> JSONValue {
        switch kind {
        case .row: behaviour.echoesParameters ? echo : answered
        case .list: page
        case .new: taken(id: newID, requires: required)
        case .change: taken(id: anyID, requires: [])
        case .replacement: taken(id: anyID, requires: ["id"] + required)
        }
    }

    private var required: [String] { behaviour.required.map { spelling($0.name.text) } }

    private func spelling(_ column: String) -> String {
        described.hasServicesColumns ? OwnColumnName.nameInServices(of: column) ?? column : column
    }
}

// Rows in answers.
extension RowSchemas {
    /// No member is required, because a selection may leave any of them out.
    private var answered: JSONValue {
        var members: [JSONMember] = []
        for field in table.fields {
            switch field {
            case .system(.id): members.append(JSONMember("id", anyID))
            case .system(let column) where isShown(column):
                members.append(
                    JSONMember(
                        described.hasServicesColumns ? field.nameInServices : field.name,
                        Self.schema(of: column)))
            case .own(let column) where isShown(column):
                members.append(JSONMember(spelling(column.name.text), schema(of: column)))
            case .system, .own: continue
            }
        }
        if let name = CallerIdentities.name(in: generation, of: table, behaviour) {
            members.append(
                JSONMember(name, ["type": "string", "description": "The caller's identities by provider, as JSON."]))
        }
        return [
            "type": "object", "properties": .object(members),
            "additionalProperties": table.rules.dynamicSchema ? Self.anyCell : false,
        ]
    }

    private func isShown(_ column: SystemColumn) -> Bool {
        guard described.hasServicesColumns, let property = SystemProperties(column) else { return true }
        return SystemProperties.available(in: table).contains(property)
    }

    private var echo: JSONValue {
        [
            "type": "object", "required": ["id", "parameters"],
            "properties": [
                "id": anyID,
                "parameters": ["type": "string", "description": "The app's own members of the query, as JSON."],
            ],
        ]
    }

    private var page: JSONValue {
        let rows: JSONValue = ["type": "array", "items": row]
        guard described.hasPageObject else {
            return [
                "anyOf": [
                    rows,
                    [
                        "type": "object", "required": ["results", "count"],
                        "properties": ["results": rows, "count": ["type": "integer", "format": "int64"]],
                    ],
                ],
                "description": "The rows alone, or with their count where it was asked for.",
            ]
        }
        return [
            "type": "object",
            "required": behaviour.echoesParameters ? ["items"] : ["items", "count", "nextLink"],
            "properties": [
                "items": rows,
                "count": ["type": ["integer", "null"], "description": "How many rows match, where it was asked for."],
                "nextLink": ["type": ["string", "null"], "description": "Leads to the next page; null on the last."],
            ],
        ]
    }
}

// Rows in requests.
extension RowSchemas {
    private func taken(id: JSONValue?, requires required: [String]) -> JSONValue {
        var members = id.map { [JSONMember("id", $0)] } ?? []
        if described.versionMember {
            members.append(JSONMember(SystemColumn.version.rawValue, ["type": ["string", "null"]]))
        }
        if described.deletedMember {
            members.append(JSONMember(SystemColumn.deleted.rawValue, ["type": ["boolean", "null"]]))
        }
        for column in table.columns where isShown(column) {
            let name = spelling(column.name.text)
            members.append(JSONMember(name, schema(of: column, isRequired: required.contains(column: name))))
        }
        var schema: [JSONMember] = [JSONMember("type", "object")]
        if !required.isEmpty { schema.append(JSONMember("required", .array(required.map { .string($0) }))) }
        schema.append(JSONMember("properties", .object(members)))
        let others: JSONValue = table.rules.dynamicSchema ? Self.anyCell : .boolean(described.passesOverUnknown)
        schema.append(JSONMember("additionalProperties", others))
        return .object(schema)
    }

    private func isShown(_ column: Column) -> Bool {
        !described.hasServicesColumns || SystemProperties(wireName: column.name.text) == nil
    }
}

extension [String] {
    fileprivate func contains(column name: String) -> Bool {
        contains { Identifier($0) == Identifier(name) }
    }
}
