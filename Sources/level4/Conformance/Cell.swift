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
struct Cell {
    let kind: ColumnKind
    let value: JSONValue

    static func text(_ text: String) -> Cell { Cell(kind: .text, value: .string(text)) }
    static func number(_ number: Double) -> Cell { Cell(kind: .number, value: .number(number)) }
    static func integer(_ number: Int64) -> Cell { Cell(kind: .integer, value: .integer(number)) }
    static func flag(_ flag: Bool) -> Cell { Cell(kind: .boolean, value: .boolean(flag)) }
    static func date(_ text: String) -> Cell { Cell(kind: .date, value: .string(text)) }
    static func none(_ kind: ColumnKind) -> Cell { Cell(kind: kind, value: .null) }
}

extension JSONValue {
    var json: String { jsonText }

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
            if let mine = numberValue, let theirs = other.numberValue { return mine == theirs }
            return self == other
        }
    }
}
