import OData

// For the log and for operators; messages for clients are elsewhere.
extension TableError: CustomStringConvertible {
    /// A description of the error.
    public var description: String { detail }

    /// A description of the error; failures of the database are in its own words.
    public var detail: String {
        switch self {
        case .query(let error): "\(error.option): \(error.reason.words())"
        case .unknownProperty(let name): "the table has no column \(name)"
        case .reservedProperty(let name): "the property \(name) is kept by the server"
        case .invalidColumnName(let name): "\(name) can't be a column"
        case .typeMismatch(let property, .string, .text):
            "the column \(property) has a type of its own in the database, which the text doesn't fit"
        case .typeMismatch(let property, let column, let found):
            "the column \(property) holds a value of the type \(column.rawValue), not \(found.kind)"
        case .tooManyDigits(let property, let limit): "the number in \(property) has more than \(limit) digits"
        case .tooManyColumns(let limit): "the table can't have more than \(limit) columns"
        case .tooManyClientColumns(let limit): "clients may add at most \(limit) columns to a table"
        case .tooManyClientTables(let limit): "clients may make at most \(limit) tables"
        case .outsideScope: "the row may not be written by who asks"
        case .away(let name):
            """
            the table \(name) is away: the database has no table of this name by now, or it has lost a column that the \
            server keeps in it; the table is served again once it is back
            """
        case .definition(let detail), .unavailable(let detail), .doubtful(let detail), .refused(_, let detail),
            .failed(let detail):
            detail
        case .timeout: "a query reached its time limit"
        case .busy, .crowded: "a query was refused or given up, as too many are there"
        case .abandoned: "the client was gone"
        case .tooLarge: "a query would take too much memory"
        case .full: "the database or its disk is full"
        }
    }
}
