public import JSONText
import Scalars
public import TableOperations
public import Tables

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
}

extension JSONValue {
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
