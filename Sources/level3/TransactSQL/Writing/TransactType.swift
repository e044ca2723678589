import TableSQL
import Tables

/// The type of an expression in a script.
public enum TransactType: Sendable, Hashable {
    /// The constant NULL, which converts to any type.
    case null
    case text
    /// The id of a row, which compares exactly.
    case identifier
    case whole, real, decimal, boolean, date
    /// A row's version: a counter, whose text is its wire form.
    case version

    /// Returns the type of a column's values.
    init(_ field: Field, of table: Table) {
        switch field {
        case .system(.id): self = table.rules.autoIncrement ? .whole : .identifier
        case .system(.createdAt), .system(.updatedAt): self = .date
        case .system(.version): self = .version
        case .system(.deleted): self = .boolean
        case .own(let column):
            switch column.type {
            // Both databases store days and times of day as text.
            case .string, .dateOnly, .timeOnly: self = .text
            case .number: self = .real
            case .integer: self = .whole
            case .decimal: self = .decimal
            case .boolean: self = .boolean
            case .date: self = .date
            }
        }
    }

    /// Returns the type of a value.
    init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .boolean: .boolean
            case .integer: .whole
            case .number: .real
            case .decimal: .decimal
            case .text: .text
            case .date: .date
            }
    }

    var isNumber: Bool { self == .whole || self == .real || self == .decimal }
    var isText: Bool { self == .text || self == .identifier }

    var numberKind: NumberKind { self == .real ? .real : self == .decimal ? .decimal : .whole }

    /// The type's name for error messages.
    var noun: String {
        switch self {
        case .null: "NULL"
        case .text: "text"
        case .identifier: "an id"
        case .whole, .real, .decimal: "a number"
        case .boolean: "a bit"
        case .date: "a date"
        case .version: "a version"
        }
    }
}
