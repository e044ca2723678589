import JSONText

/// What a column of the tables that are used holds. Their names are the operator's to say.
public enum ColumnKind: String, Sendable, CaseIterable {
    /// Text.
    case text
    /// A number with a fraction.
    case number
    /// A whole number.
    case integer
    /// A whole number of 64 bits, exact to the last digit.
    case int64
    /// True or false.
    case boolean
    /// A point in time.
    case date
}

/// A value for a column.
enum Cell {
    case text(String)
    case number(Double)
    case integer(Int64)
    case int64(Int64)
    case flag(Bool)
    case date(String)
    case none(ColumnKind)

    var kind: ColumnKind {
        switch self {
        case .text: .text
        case .number: .number
        case .integer: .integer
        case .int64: .int64
        case .flag: .boolean
        case .date: .date
        case .none(let kind): kind
        }
    }

    var value: JSONValue {
        switch self {
        case .text(let text), .date(let text): .string(text)
        case .number(let number): .number(number)
        case .integer(let number), .int64(let number): .integer(number)
        case .flag(let flag): .boolean(flag)
        case .none: .null
        }
    }
}

extension JSONValue {
    /// The value as JSON.
    var json: String {
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .precise(let text, _): return text
        case .number(let value):
            var writer = JSONWriter()
            writer.number(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        case .string(let text):
            var writer = JSONWriter()
            writer.string(text)
            return String(decoding: writer.bytes, as: UTF8.self)
        case .array(let items): return "[\(items.map(\.json).joined(separator: ","))]"
        case .object(let members):
            let parts = members.map { "\(JSONValue.string($0.name).json):\($0.value.json)" }
            return "{\(parts.joined(separator: ","))}"
        }
    }

    /// Whether it says the same: 1 and 1.0 are one number, and the order of members says nothing.
    func says(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let mine), .array(let theirs)):
            return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.says($1) }
        case (.object(let mine), .object(let theirs)):
            return mine.count == theirs.count
                && mine.allSatisfy { member in
                    theirs.last { $0.name == member.name }.map { $0.value.says(member.value) } ?? false
                }
        case (.integer(let mine), .integer(let theirs)): return mine == theirs
        default:
            if let mine = double, let theirs = other.double { return mine == theirs }
            return self == other
        }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .precise(_, let nearest): nearest
        default: nil
        }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
