/// Where a SQLite database lives.
public enum SQLiteLocation: Sendable, Equatable {
    /// A file, made with its folder where it is missing.
    case file(String)
    /// Nowhere: the rows last as long as the store.
    case memory
}
