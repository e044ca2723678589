/// The location of the rows, read from a database URL.
public enum DatabaseLocation: Sendable, Hashable {
    /// A SQLite file; a relative path starts at the working directory.
    case sqlite(path: String)
    /// A SQLite database that ends with the process.
    case sqliteInMemory
    /// A libpq URI.
    case postgres(url: String)

    init(_ value: ConfigurationValue) throws(ConfigurationFault) {
        let text = try value.text()
        if text == "sqlite::memory:" {
            self = .sqliteInMemory
        } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            guard Self.showsItsPassword(text) else {
                throw value.fault(
                    "has a password that can't be told from what follows: in it @ is written as %40, / as %2F, ? as %3F and "
                        + "% as %25")
            }
            self = .postgres(url: text)
        } else {
            // The text itself may contain a password.
            throw value.fault("has to be sqlite:PATH, sqlite::memory: or postgresql://…")
        }
    }

    /// The kind of store, in one word.
    public var storeName: String {
        switch self {
        case .sqlite, .sqliteInMemory: "sqlite"
        case .postgres: "postgres"
        }
    }

    /// The location without secrets.
    var place: String {
        switch self {
        case .sqlite(let path): path
        case .sqliteInMemory: "memory, until it ends"
        case .postgres: "the PostgreSQL database that is named"
        }
    }

    /// Whether it is clear where the password ends. Otherwise libpq would take the rest for a host or a port, and show
    /// it in error messages.
    private static func showsItsPassword(_ url: String) -> Bool {
        guard let at = url.firstIndex(of: "@") else { return true }
        // In a query, each @ is part of a value.
        if let question = url[..<at].firstIndex(of: "?") { return url[question..<at].contains("=") }
        // The parts before it are `postgresql:`, an empty one, and the user.
        return url[..<at].split(separator: "/", omittingEmptySubsequences: false).count == 3
            && !url[at...].dropFirst().prefix { $0 != "?" }.contains("@")
    }
}
