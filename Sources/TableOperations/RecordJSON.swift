public import JSONText
import OData
import Tables

extension Record {
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
