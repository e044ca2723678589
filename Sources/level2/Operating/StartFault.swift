package import Tables

/// Why the server did not start.
public enum StartFault: Error, Sendable {
    /// The database can't be opened or is in use by another program; the sentence is for the operator.
    case database(String)
    /// The definitions don't fit the database, or the address can't be listened on.
    case configuration(String)
    /// An impossible state occurred.
    case bug(String)

    package init(_ error: TableError) {
        switch error {
        case .definition(let sentence): self = .configuration(sentence)
        case .unavailable(let detail), .doubtful(let detail), .refused(_, let detail),
            .failed(let detail):
            self = .database(detail)
        case .away: self = .database(error.detail)
        case .full: self = .database("the disk or the database is full")
        case .query, .timeout, .busy, .crowded, .abandoned, .tooLarge, .unknownProperty, .reservedProperty,
            .invalidColumnName, .typeMismatch, .tooManyDigits, .tooManyColumns, .tooManyClientColumns,
            .tooManyClientTables, .outsideScope:
            self = .bug(error.detail)
        }
    }

    /// Returns the same fault with more text at its end.
    package func adding(_ words: String) -> StartFault {
        switch self {
        case .database(let sentence): .database(sentence + words)
        case .configuration(let sentence): .configuration(sentence + words)
        case .bug(let sentence): .bug(sentence + words)
        }
    }
}

/// Why an operator's command failed.
public enum CommandFault: Error, Sendable {
    /// There is a problem with the database or the configuration.
    case application(StartFault)
    /// The arguments on the command line don't go together.
    case usage(String)
    /// The input data is invalid.
    case data(String)
    /// A file can't be read or written.
    case file(String)
}
