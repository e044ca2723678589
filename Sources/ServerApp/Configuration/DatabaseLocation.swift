/// Where the rows are kept, read from a database URL.
public enum DatabaseLocation: Sendable, Hashable {
    /// A SQLite file; a relative path counts from the working directory.
    case sqlite(path: String)
    /// A SQLite database that ends with the process.
    case sqliteInMemory
    /// A libpq URI.
    case postgres(url: String)

    init(_ value: WrittenValue) throws(ConfigurationFault) {
        let text = try value.text()
        if text == "sqlite::memory:" {
            self = .sqliteInMemory
        } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
        } else {
            // The text itself may hold a password.
            throw value.fault("has to be sqlite:PATH, sqlite::memory: or postgresql://…")
        }
    }
}
