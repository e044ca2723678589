import JSONText
import Scalars
import Tables

// Values as other programs write them, above all SQL Server's tools and what is built on .NET.

extension Instant {
    /// Parses also `2014-03-05 21:01:32.3630000 +00:00`, as SQL Server writes a `datetimeoffset`.
    init?(foreign text: String) {
        if let instant = Instant(text) {
            self = instant
            return
        }
        let parts = text.split(separator: " ")
        guard parts.count == 3, let sign = parts[2].first, sign == "+" || sign == "-",
            let instant = Instant("\(parts[0])T\(parts[1])\(parts[2])")
        else { return nil }
        self = instant
    }
}

extension Version {
    /// Parses a rowversion as SQL Server's tools write it: `0x00000000000007D1`.
    init?(foreign text: String) {
        guard text.utf8.count == 18, text.prefix(2).lowercased() == "0x", text.utf8.dropFirst(2).first != 43,
            let bits = UInt64(text.dropFirst(2), radix: 16), bits <= UInt64(Int64.max)
        else { return nil }
        self.init(counter: Int64(bits))
    }
}

extension Bool {
    /// Parses `True` as .NET writes it, and `1` as SQL Server does.
    init?(foreign text: String) {
        switch text.lowercased() {
        case "false", "0": self = false
        case "true", "1": self = true
        default: return nil
        }
    }
}

extension Value {
    /// The value of a column that a text stands for; the text itself if it doesn't fit there.
    init(foreign text: String, in type: ColumnType?) {
        self = Value.parsed(text, in: type) ?? .text(text)
    }

    private static func parsed(_ text: String, in type: ColumnType?) -> Value? {
        // PowerShell writes null as an empty text in quotes.
        if text.isEmpty, let type, type != .string { return .null }
        // `bcp` and `sqlcmd` leave out the zero before the point.
        let number = text.hasPrefix(".") ? "0\(text)" : text.hasPrefix("-.") ? "-0\(text.dropFirst())" : text
        switch type {
        case .integer: return Int64(text).map(Value.integer)
        case .number: return (try? JSONReader.parse(Array(number.utf8)))?.plainNumber
        case .decimal: return DecimalNumber(number).map(Value.decimal)
        case .boolean: return Bool(foreign: text).map(Value.boolean)
        default: return Value(foreignDate: text, in: type)
        }
    }

    /// The text of an instant in a form that only other programs write; nil for all else.
    init?(foreignDate text: String, in type: ColumnType?) {
        guard type == .date, Instant(text) == nil, let instant = Instant(foreign: text) else { return nil }
        self = .text(instant.wireText)
    }
}

extension JSONValue {
    fileprivate var plainNumber: Tables.Value? {
        switch self {
        case .integer(let whole): .integer(whole)
        case .number(let number), .precise(_, let number): .number(number)
        default: nil
        }
    }
}
