/// Why the database itself refuses a row: by a constraint, a trigger or a type that the server doesn't know of, such as
/// those of an adopted table.
public enum RowRefusal: Sendable, CaseIterable {
    /// Another row has the same value in a column, or columns, where each may occur once.
    case taken
    /// A required column would have no value.
    case missingValue
    /// It refers to a row that doesn't exist, or another row refers to it.
    case reference
    /// It breaks a check, or a trigger refuses it.
    case rule
    /// A text is longer than its column allows.
    case tooLong
    /// A number is outside of the range of its column.
    case outOfRange

    /// What is wrong, for whoever sent the row.
    public var sentence: String {
        switch self {
        case .taken: "A value of the row has to be unique in the table, and another row has it."
        case .missingValue: "A column that requires a value would have none."
        case .reference: "The row refers to one that doesn't exist, or another row refers to it."
        case .rule: "The row breaks a rule that the database has for the table."
        case .tooLong: "A text is longer than its column allows."
        case .outOfRange: "A number is outside of the range of its column."
        }
    }
}
