public import JSONText
import Scalars
import Tables

extension Record {
    /// A record of a JSON object's members.
    /// - Returns: nil where one of them is an array or an object, which no column can hold.
    public init?(json members: [JSONMember]) {
        var properties: [Property] = []
        for member in members {
            let value: Value
            switch member.value {
            case .null: value = .null
            case .boolean(let truth): value = .boolean(truth)
            case .integer(let number): value = .integer(number)
            case .number(let number): value = .number(number)
            case .precise(let text, let nearest): value = DecimalNumber(text).map(Value.decimal) ?? .number(nearest)
            case .string(let text): value = .text(text)
            case .array, .object: return nil
            }
            properties.append(Property(member.name, value))
        }
        self.init(properties)
    }

    /// Appends the values as a JSON object, dates in the wire form.
    public func append(to json: inout JSONWriter) {
        json.raw("{")
        for (index, property) in properties.enumerated() {
            if index > 0 { json.raw(",") }
            json.string(property.name)
            json.raw(":")
            switch property.value {
            case .null: json.raw("null")
            case .boolean(let value): json.boolean(value)
            case .integer(let value): json.integer(value)
            case .number(let value): json.number(value)
            case .decimal(let value): json.building { $0.append(contentsOf: value.text.utf8) }
            case .text(let value): json.string(value)
            case .date(let value): json.string(value.wireText)
            }
        }
        json.raw("}")
    }
}
