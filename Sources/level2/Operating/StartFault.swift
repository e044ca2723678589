package import Tables

/// Why the server did not start.
public enum StartFault: Error, Sendable {
    /// The database doesn't open or is in another program's hands; the sentence is for the operator.
    case database(String)
    /// The definitions don't fit the database, or the address can't be listened on.
    case configuration(String)
    /// Something that can't happen, happened.
    case bug(String)

    package init(_ error: TableError) {
        switch error {
        case .definition(let sentence): self = .configuration(sentence)
        case .unavailable(let detail), .doubtful(let detail), .failed(let detail): self = .database(detail)
        case .away: self = .database(error.detail)
        case .full: self = .database("the disk or the database is full")
        case .query, .timeout, .busy, .crowded, .abandoned, .tooLarge, .unknownProperty, .reservedProperty,
            .invalidColumnName, .typeMismatch, .tooManyDigits, .tooManyColumns, .tooManyClientColumns,
            .tooManyClientTables, .outsideScope:
            self = .bug(error.detail)
        }
    }

    /// The same fault with more words at its end.
    package func adding(_ words: String) -> StartFault {
        switch self {
        case .database(let sentence): .database(sentence + words)
        case .configuration(let sentence): .configuration(sentence + words)
        case .bug(let sentence): .bug(sentence + words)
        }
    }
}
