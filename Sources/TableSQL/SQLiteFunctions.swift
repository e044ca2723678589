/// What SQLiteStorage registers on every connection, so that the SQL of `SQLiteDialect` can run there.
public enum SQLiteFunctions {
    /// The collation that compares text by `TextFold.compare`, for the encoding UTF-8.
    public static let collation = "zumod_nocase"

    /// A function over text. All are deterministic (`SQLITE_DETERMINISTIC`), read their arguments as UTF-8, answer
    /// text, and answer null where any argument is null.
    public enum Scalar: String, Sendable, CaseIterable {
        /// `TextFold.lowered` of its argument.
        case lower = "zumod_lower"
        /// `TextFold.uppered` of its argument.
        case upper = "zumod_upper"
        /// The wire form of the date that `Instant.parse` reads in its argument; null where there is none.
        case date = "zumod_date"
        /// `TextFold.replacing`: a text, what to look for, what to put in its place.
        case replace = "zumod_replace"

        /// How many arguments the function takes.
        public var argumentCount: Int {
            self == .replace ? 3 : 1
        }
    }
}
