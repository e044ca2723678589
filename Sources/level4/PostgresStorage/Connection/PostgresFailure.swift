import Tables

/// The ways in which a call to the database can fail.
enum PostgresFailure: Error, Equatable {
    /// No connection could be made.
    case unreachable(detail: String)
    /// The connection broke. Work in progress may or may not have been done.
    case lost(detail: String)
    /// The server refused a statement.
    case refused(SQLState, detail: String)
    /// The call itself isn't possible.
    case table(TableError)

    /// What happened, for the log.
    var words: String {
        switch self {
        case .unreachable(let detail), .lost(let detail), .refused(_, let detail): detail
        case .table(let error): error.detail
        }
    }

    /// A text for clients, without names and addresses.
    var publicWords: StaticString {
        guard case .unreachable(let detail) = self else { return "The database can't be reached" }
        func says(_ parts: String...) -> Bool { parts.contains { detail.contains($0) } }
        if says("authentication failed", "no password supplied", "no pg_hba.conf entry", "not permitted to log in")
            || says("FATAL:  role ")
        {
            return "The database refuses the server's user or password"
        }
        if says("FATAL:  database ") { return "The database that the server was given does not exist" }
        if meansNoMoreConnections {
            return "The database gives the server no connection"
        }
        return "The database can't be reached"
    }

    /// Whether the server, the role, the database or a pooler has reached its limit of connections. libpq reports no
    /// SQLSTATE for a failed connection.
    var meansNoMoreConnections: Bool {
        guard case .unreachable(let detail) = self else { return false }
        return ["too many", "remaining connection slots", "no more connections"].contains { detail.contains($0) }
    }

    /// The corresponding error of the storage contract.
    var tableError: TableError {
        switch self {
        case .unreachable(let detail), .lost(let detail): .unavailable(detail: detail)
        case .table(let error): error
        case .refused(let state, let detail): state.tableError(detail: "PostgreSQL \(state.code): \(detail)")
        }
    }
}

extension PostgresFailure {
    /// The failure when it occurs while preparing the schema. If the user lacks the right, it says what to do.
    var ofSchema: PostgresFailure {
        guard case .refused(let state, let detail) = self, state.meansNoRight else { return self }
        let sentence = "the database's schema is behind, and this user may not change it (\(detail)): "
        return .table(.definition(sentence + "run `zumod migrate` as the tables' owner"))
    }
}

/// The five characters by which PostgreSQL identifies an error.
struct SQLState: Equatable {
    let code: String

    /// What can be done about an error.
    enum Meaning {
        /// The transaction lost against another one, and can be run again unchanged.
        case collision
        /// A prepared statement is out of date: it has to be prepared and run again.
        case stalePlan
        /// The catalog of tables is older than the database.
        case staleCatalog
        /// The server ends the connection or has become read-only: a new connection is needed.
        case lost
        /// Another session has held a lock for too long.
        case locked
        /// A later attempt may succeed.
        case unavailable
        case full
        /// The statement or its values are wrong.
        case failed
    }

    var meaning: Meaning {
        switch code {
        case "40001", "40P01": .collision
        case "26000", "0A000": .stalePlan
        // The last two if a column has another type by now.
        case "42703", "42P01", "42701", "42804", "42883": .staleCatalog
        case "57P01", "57P02", "57P04", "25006", "08000", "08003", "08006", "08P01", "25P03", "57P05": .lost
        case "55P03": .locked
        case "57P03", "57014", "53300", "53200", "53000": .unavailable
        case "53100": .full
        default: .failed
        }
    }

    /// The error for a column that doesn't exist.
    static let staleCatalog = SQLState(code: "42703")

    /// Whether the statement is at fault, or something it triggers, such as another program's trigger.
    var isOfTheStatement: Bool { meaning == .failed || meaning == .staleCatalog }

    /// Whether the server stopped the statement, as it does at the time limit.
    var isStopped: Bool { code == "57014" }

    /// Whether the user lacks the necessary right.
    var meansNoRight: Bool { code == "42501" }

    fileprivate func tableError(detail: String) -> TableError {
        switch meaning {
        case .collision, .lost, .locked, .unavailable: .unavailable(detail: detail)
        case .full: .full
        // zumod_within raises the first; the second is a pattern that would exceed PostgreSQL's memory limit.
        case .failed where code == "ZM001" || code == "2201B": .tooLarge
        // The server's own records have rules too, such as for the last of all stamps.
        case .failed where detail.contains("zumod_"): .failed(detail: detail)
        case .failed: rowRefusal.map { .refused($0, detail: detail) } ?? .failed(detail: detail)
        case .stalePlan, .staleCatalog: .failed(detail: detail)
        }
    }

    /// Why the row that the statement writes is refused; nil if it isn't the row.
    private var rowRefusal: RowRefusal? {
        switch code {
        case "23505", "23P01": .taken
        case "23502": .missingValue
        case "23503", "23001": .reference
        // The second to last is what PL/pgSQL's RAISE gives, the last a column that the database calculates.
        case "23514", "44000", "P0001", "428C9": .rule
        case "22001": .tooLong
        case "22003": .outOfRange
        default: nil
        }
    }
}
