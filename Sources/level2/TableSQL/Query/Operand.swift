import OData
import Scalars
import Tables

/// The type of an expression's value.
enum ValueType: Sendable {
    case null, text, identifier, integer, real, decimal, boolean, date, day, time, version, guid, binary

    var isNumber: Bool { self == .integer || self == .real || self == .decimal }
    var isText: Bool { self == .text || self == .identifier }

    /// The type's name for error messages.
    var noun: String {
        switch self {
        case .null: "null"
        case .text: "text"
        case .identifier: "an id"
        case .integer, .real, .decimal: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .day: "a day"
        case .time: "a time of day"
        case .version: "a version"
        case .guid: "a GUID"
        case .binary: "binary data"
        }
    }
}

/// An expression of a query as SQL, with what is needed to combine it with another.
struct Operand {
    /// How tightly the outermost operator of the SQL binds, from `OR` to primary expressions.
    enum Strength: Int, Comparable {
        case or, and, not, comparison, additive, multiplicative, primary

        static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
    }

    var sql: SQLFragment
    var type: ValueType
    var strength: Strength
    /// The value, if the expression is a constant.
    var literal: Literal?
    /// The column, if the expression is one.
    var field: Field?
    /// What the texts of the column are, also if the expression is a value that it is about to get.
    var form: TextForm?
    let offset: Int

    init(_ sql: SQLFragment, _ type: ValueType, _ strength: Strength = .primary, at offset: Int) {
        self.sql = sql
        self.type = type
        self.strength = strength
        self.offset = offset
    }

    init(_ literal: Literal, at offset: Int) {
        let (value, type): (Value, ValueType) =
            switch literal {
            case .null: (.null, .null)
            case .boolean(let value): (.boolean(value), .boolean)
            case .integer(let value): (.integer(value), .integer)
            case .real(let value): (.number(value), .real)
            case .decimal(let value): (.decimal(value), .decimal)
            case .text(let value): (.text(value), .text)
            case .date(let value): (.date(value), .date)
            case .day(let value): (.text(value.dayText), .day)
            case .time(let value): (.text(value.wireText), .time)
            case .guid(let value): (.text(value), .guid)
            // Only versions compare with the bytes, and parse them themselves; otherwise they only count as not null.
            case .binary: (.text(""), .binary)
            }
        self.init(type == .null ? "NULL" : SQLFragment(value), type, at: offset)
        self.literal = literal
    }

    init(_ field: Field, of table: Table, at offset: Int) {
        let type: ValueType =
            switch field {
            case .system(.id): table.rules.autoIncrement ? .integer : .identifier
            case .system(.createdAt), .system(.updatedAt): .date
            case .system(.version): .version
            case .system(.deleted): .boolean
            case .own(let column):
                switch column.type {
                case .string: .text
                case .number: .real
                case .decimal: .decimal
                case .integer: .integer
                case .boolean: .boolean
                case .date: .date
                case .dateOnly: .day
                case .timeOnly: .time
                }
            }
        self.init(SQLFragment(field), type, at: offset)
        self.field = field
        form = field.form
    }

    /// Returns the same operand with another type.
    func typed(_ type: ValueType) -> Operand {
        var operand = self
        operand.type = type
        return operand
    }

    /// Returns the SQL, in parentheses if its operator binds less tightly than its surroundings.
    func sql(within surrounding: Strength) -> SQLFragment {
        strength < surrounding ? "(\(sql))" : sql
    }

    /// The operand's description for error messages.
    var description: String {
        field.map { "`\($0.name)` (\(type.noun))" } ?? type.noun
    }

    /// Whether the operand is a constant of ASCII characters without NUL, at which SQLite's own collation stops.
    var isPlainASCII: Bool {
        switch literal {
        case .text(let text): text.isPlainASCII
        case .guid: true
        default: false
        }
    }
}

extension String {
    /// Whether all characters are ASCII and none is NUL.
    package var isPlainASCII: Bool { utf8.allSatisfy { (1...0x7F).contains($0) } }
}
