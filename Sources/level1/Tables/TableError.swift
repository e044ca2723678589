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
    /// A number can't be kept without rounding it.
    case tooManyDigits(property: String, limit: Int)
    case tooManyColumns(limit: Int)
    /// Clients have added as many columns to the table as they may, or would have.
    case tooManyClientColumns(limit: Int)
    /// Clients have made as many tables as they may.
    case tooManyClientTables(limit: Int)
    /// The caller may not write the row, or not as it would be; nothing was written.
    case outsideScope
    /// An index or a seed of a definition can't be made; the sentence is for the operator.
    case definition(String)
    /// The database can't be reached or is locked by another program; trying again later may help.
    case unavailable(detail: String)
    /// The database lacks the table by now, or a column of the server's in it; it may be back later.
    case away(Identifier)
    /// The database did not tell in time whether a write was done: it may have been.
    case doubtful(detail: String)
    /// The query was given up at its time limit.
    case timeout
    /// The query was not begun, or given up for the queries of others: too many are there.
    case busy
    /// The same for a list, which may have its turn after that many seconds.
    case crowded(seconds: Int)
    /// The query was given up since the client that asked is gone.
    case abandoned
    /// The query would take more memory than one may: its calculations with long texts, or the rows that it sorts.
    case tooLarge
    /// The disk or the database is full; nothing was written.
    case full
    /// Anything else. The detail is for the log, never for a client.
    case failed(detail: String)

    /// What every call answers after the store was closed.
    public static let closed = TableError.unavailable(detail: "the store is closed")

    /// The column that the known table lacks, and that the database may have by now; nil if it is something else.
    public var missingColumn: String? {
        switch self {
        case .unknownProperty(let name): name
        case .query(let error): if case .unknownColumn(let name) = error.reason { name } else { nil }
        default: nil
        }
    }

    /// Whether a value doesn't fit the type of a column, which may have another one by now.
    public var isOfTypes: Bool {
        switch self {
        case .typeMismatch: true
        case .query(let error): if case .typeClash = error.reason { true } else { false }
        default: false
        }
    }

    /// Whether the database may have by now what the known table lacks.
    public var mayBeOutdated: Bool {
        if case .away = self { true } else { missingColumn != nil || isOfTypes }
    }
}
