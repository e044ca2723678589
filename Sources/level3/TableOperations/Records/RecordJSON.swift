public import JSONText
import Scalars
public import Tables

extension Record {
    /// A record of a JSON object's members.
    /// - Returns: nil where one of them is an array or an object, which no column can hold.
    public init?(json members: [JSONMember]) {
        var properties: [Property] = []
        for member in members {
            guard let value = Value(member.value) else { return nil }
            properties.append(Property(member.name, value))
        }
        self.init(properties)
    }

    /// Appends the values as a JSON object, dates in the wire form.
    public func append(to json: inout JSONWriter) {
        json.value(JSONValue(self))
    }
}

extension JSONValue {
    /// A cell as JSON, a date in the wire form.
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

    /// A row as JSON, its dates in the wire form.
    public init(_ record: Record) {
        self = .object(record.properties.map { JSONMember($0.name, JSONValue($0.value)) })
    }
}

extension Value {
    /// A member of a body as a cell; a date stays the text that it is until a column takes it.
    /// - Returns: nil for an array or an object, which no column holds.
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
