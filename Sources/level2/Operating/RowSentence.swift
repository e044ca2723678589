package import Tables

extension TableError {
    /// The message for the operator about a row that a table can't accept.
    package var rowSentence: String {
        switch self {
        case .unknownProperty(let name): "the table has no column `\(name)`, and dynamicSchema is off"
        case .reservedProperty(let name): "`\(name)` is written by the server only"
        case .invalidColumnName(let name): "`\(name)` is not a column's name"
        case .typeMismatch(let name, .string, .text):
            "`\(name)` has a type of its own in the database, which the text doesn't fit"
        case .typeMismatch(let name, let type, let found):
            "`\(name)` has to be \(type == .integer ? "an" : "a") \(type.rawValue), not \(found.kind)"
        case .tooManyDigits(let name, let limit): "`\(name)` has more than \(limit) digits"
        case .tooManyColumns(let limit): "the table has \(limit) columns already"
        case .refused(_, let detail): "is refused by the database: \(detail)"
        case .query, .outsideScope, .definition, .unavailable, .away, .doubtful, .timeout, .busy, .crowded, .abandoned,
            .tooLarge,
            .full, .failed, .tooManyClientColumns, .tooManyClientTables:
            "can't be a row of this table"
        }
    }
}
