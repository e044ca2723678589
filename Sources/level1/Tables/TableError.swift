public import OData

/// Everything that a table operation can fail with. Conflicts and missing rows are outcomes, not errors.
public enum TableError: Error, Sendable, Equatable {
    case query(QueryError)
    /// A body names a column that a table without dynamic schema doesn't have.
    case unknownProperty(String)
    /// A body sets a column that only the server writes.
    case reservedProperty(String)
    case invalidColumnName(String)
    case typeMismatch(property: String, column: ColumnType, found: Value)
    /// A number can't be stored without rounding.
    case tooManyDigits(property: String, limit: Int)
    case tooManyColumns(limit: Int)
    /// Clients have added as many columns to the table as they may, or would exceed that number.
    case tooManyClientColumns(limit: Int)
    /// Clients have created as many tables as they may.
    case tooManyClientTables(limit: Int)
    /// The caller may not write the row, or not with these values; nothing was written.
    case outsideScope
    /// An index or a seed row of a definition is invalid; the sentence is for the operator.
    case definition(String)
    /// The database can't be reached or is locked by another program; trying again later may help.
    case unavailable(detail: String)
    /// The database currently lacks the table, or one of the server's columns in it; it may come back.
    case away(Identifier)
    /// The database did not confirm in time whether a write was done: it may have been.
    case doubtful(detail: String)
    /// The query was cancelled at its time limit.
    case timeout
    /// The query was not started, or was cancelled in favour of others: there are too many.
    case busy
    /// The same for a list, which may get its turn after that many seconds.
    case crowded(seconds: Int)
    /// The query was cancelled because the client that asked has disconnected.
    case abandoned
    /// The query would exceed its memory limit: by calculations with long texts, or by the rows that it sorts.
    case tooLarge
    /// The database refuses the row by a rule of its own; nothing was written. The detail is for the log.
    case refused(RowRefusal, detail: String)
    /// The disk or the database is full; nothing was written.
    case full
    /// Anything else. The detail is for the log, never for a client.
    case failed(detail: String)

    /// The error of every call after the store was closed.
    public static let closed = TableError.unavailable(detail: "the store is closed")

    /// The column that the known table lacks, and that the database may have gained; nil for other errors.
    public var missingColumn: String? {
        switch self {
        case .unknownProperty(let name): name
        case .query(let error): if case .unknownColumn(let name) = error.reason { name } else { nil }
        default: nil
        }
    }

    /// Whether a value doesn't fit the type of a column, which may have changed.
    public var isOfTypes: Bool {
        switch self {
        case .typeMismatch: true
        case .query(let error): if case .typeClash = error.reason { true } else { false }
        default: false
        }
    }

    /// Whether the statement is at fault, or something it triggers, such as another program's trigger.
    public var isOfTheStatement: Bool {
        switch self {
        case .failed, .refused: true
        default: false
        }
    }

    /// Whether the database may have gained what the known table lacks.
    public var mayBeOutdated: Bool {
        if case .away = self { true } else { missingColumn != nil || isOfTypes }
    }
}
