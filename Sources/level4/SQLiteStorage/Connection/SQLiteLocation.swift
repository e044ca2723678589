/// Where a SQLite database lives.
public enum SQLiteLocation: Sendable, Equatable {
    /// A file, which is created along with its folder if it is missing.
    case file(String)
    /// In memory: the rows last as long as the store.
    case memory
}
