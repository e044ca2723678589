import JSONText
import TableOperations
import Tables
import ZumoProtocol

// Ids.
extension RowSchemas {
    /// The id in a row's path.
    var pathID: JSONValue {
        table.rules.autoIncrement ? numberedID : ["type": "string", "minLength": 1]
    }

    /// The id of an existing row.
    var anyID: JSONValue {
        table.rules.autoIncrement ? numberedID : ["type": "string"]
    }

    /// Ids are text in v3, including the digits of a number.
    private var numberedID: JSONValue {
        generation.described.hasTextIDs
            ? ["type": "string", "pattern": "^(0|-?[1-9][0-9]*)$"] : ["type": "integer", "format": "int64"]
    }

    /// nil if the table numbers its rows itself.
    var newID: JSONValue? {
        guard !table.rules.autoIncrement else { return JSONValue?.none }
        return [
            "type": ["string", "null"], "maxLength": .integer(Int64(RowID.maximumLength)),
            "pattern": .string(Self.idPattern), "description": "Given by the server where it is missing.",
        ]
    }

    /// The characters allowed in a new id, found by testing every character that the rules for ids distinguish.
    private static let idPattern: String = {
        let forbidden = (Array(0...0xFF) + [0xFFFD]).filter { (value: UInt32) in
            guard let scalar = Unicode.Scalar(value) else { return false }
            return RowID.fault(inNew: "a\(Character(scalar))") == .forbiddenCharacter(scalar)
        }
        var set = ""
        for value in forbidden {
            let continues = forbidden.contains(value &- 1), goesOn = forbidden.contains(value + 1)
            if continues, goesOn { continue }
            let digits = String(value, radix: 16)
            set += (continues ? "-" : "") + "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "^[^\(set)]*$"
    }()
}

// Other cells.
extension RowSchemas {
    /// The cell of a column that doesn't exist yet.
    static let anyCell: JSONValue = ["type": ["string", "number", "boolean", "null"]]

    func schema(of column: Column, isRequired: Bool = false) -> JSONValue {
        let (type, format) = column.type.wireForm
        var schema = [JSONMember("type", isRequired ? .string(type) : [.string(type), "null"])]
        if let format { schema.append(JSONMember("format", .string(format))) }
        if isRequired, column.type == .string { schema.append(JSONMember("minLength", 1)) }
        if column.name == behaviour.ownerColumn {
            schema.append(JSONMember("readOnly", true))
            schema.append(JSONMember("description", "The id of the user whose row it is."))
        }
        return .object(schema)
    }

    static func schema(of column: SystemColumn) -> JSONValue {
        switch column {
        case .id: ["type": "string"]
        case .createdAt, .updatedAt: ["type": "string", "format": "date-time"]
        case .version: ["type": "string", "description": "Changes with every write; the ETag without its quotes."]
        case .deleted: ["type": "boolean"]
        }
    }
}

extension ColumnType {
    /// The JSON type of the column's cells, and OpenAPI's format for it.
    fileprivate var wireForm: (type: String, format: String?) {
        switch self {
        case .string: ("string", nil)
        case .number: ("number", "double")
        case .integer: ("integer", "int64")
        case .boolean: ("boolean", nil)
        case .date: ("string", "date-time")
        case .dateOnly: ("string", "date")
        case .timeOnly: ("string", "time-local")
        case .decimal: ("number", "decimal")
        }
    }
}
