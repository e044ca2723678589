public import JSONText
import Scalars
public import Tables

extension Record {
    /// Creates a record of a JSON object's members.
    /// - Returns: nil if one of them is an array or an object, which no column can hold.
    public init?(json members: [JSONMember]) {
        var properties: [Property] = []
        for member in members {
            guard let value = Value(member.value) else { return nil }
            properties.append(Property(member.name, value))
        }
        self.init(properties)
    }

    /// Appends the values as a JSON object, with dates in their wire form.
    public func append(to json: inout JSONWriter) {
        json.value(JSONValue(self))
    }
}

extension JSONValue {
    /// Converts a cell to JSON, a date to its wire form.
    public init(_ value: Tables.Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .decimal(let value): self = .precise(value.text, nearest: value.double)
        case .text(let value): self = .string(value)
        case .date(let value): self = .string(value.wireText)
        }
    }

    /// Converts a row to JSON, its dates to their wire form.
    public init(_ record: Record) {
        self = .object(record.properties.map { JSONMember($0.name, JSONValue($0.value)) })
    }
}

extension Value {
    /// Converts a member of a body to a cell; a date stays text until it is assigned to a column.
    /// - Returns: nil for an array or an object, which no column can hold.
    public init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .precise(let text, let value): self = DecimalNumber(text).map(Value.decimal) ?? .number(value)
        case .string(let value): self = .text(value)
        case .array, .object: return nil
        }
    }
}
