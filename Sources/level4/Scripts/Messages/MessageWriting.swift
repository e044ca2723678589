import ByteText
import JSONText
import OData
import Scalars
import TableOperations
import Tables

// Writes the members of messages. A member without a value is left out.
extension JSONWriter {
    /// Begins a member of the current object.
    mutating func member(_ name: StaticString) {
        separate()
        raw("\"")
        raw(name)
        raw("\":")
    }

    mutating func member(_ name: StaticString, text: String?) {
        guard let text else { return }
        member(name)
        string(text)
    }

    mutating func member(_ name: StaticString, number: Int64?) {
        guard let number else { return }
        member(name)
        integer(number)
    }

    /// Writes a flag only if it is true.
    mutating func member(_ name: StaticString, flag: Bool) {
        guard flag else { return }
        member(name)
        raw("true")
    }

    mutating func member(_ name: StaticString, texts: [String]) {
        member(name)
        raw("[")
        for text in texts {
            separate()
            string(text)
        }
        raw("]")
    }

    mutating func member(_ name: StaticString, base64 bytes: [UInt8]) {
        member(name)
        raw("\"")
        building { Base64.appendStandard(bytes, to: &$0) }
        raw("\"")
    }

    /// Writes a comma, if there is something before it.
    mutating func separate() {
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { raw(",") }
    }

    /// Writes a value as scripts receive it; dates in the wire form.
    mutating func scriptValue(_ value: Value) {
        switch value {
        case .null: raw("null")
        case .boolean(let value): boolean(value)
        case .integer(let whole) where value.isTextInScripts: string(String(whole))
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .decimal(let value): building { $0.append(contentsOf: value.text.utf8) }
        case .text(let value): string(value)
        case .date(let value): string(value.wireText)
        }
    }

    /// Writes a row as scripts receive it.
    /// - Parameter dates: collects the names of columns that contain dates.
    mutating func scriptRow(_ values: some Sequence<(String, Value)>, _ dates: inout [String]) {
        raw("{")
        for (name, value) in values {
            separate()
            string(name)
            raw(":")
            scriptValue(value)
            if case .date = value, !dates.contains(name) { dates.append(name) }
        }
        raw("}")
    }
}
