/// Where a SQLite database lives.
public enum SQLiteLocation: Sendable, Equatable {
    /// A file, which is created along with its folder if it is missing.
    case file(String)
    /// In memory: the rows exist only as long as the store does.
    case memory
}
