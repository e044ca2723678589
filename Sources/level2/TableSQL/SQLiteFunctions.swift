/// What SQLiteStorage must register on every connection for the SQL of `SQLiteDialect`.
public enum SQLiteFunctions {
    /// The collation that compares text by `TextFold.compare`, for the encoding UTF-8.
    public static let collation = "zumod_nocase"

    /// The collation that orders text by `TextOrder.compare`, for the encoding UTF-8.
    public static let orderCollation = "zumod_order"

    /// The collation that compares decimals by `DecimalText.compare`, for the encoding UTF-8.
    public static let decimalCollation = "zumod_decimal"

    /// The maximum number of digits of a decimal that the functions read. A filter at its limit has fewer.
    public static let longestDecimal = 40_000

    /// Returns the name of the function for a calculation with decimals in text. All are deterministic and return text,
    /// or null if an argument is null or not a decimal.
    public static func name(of calculation: DecimalCalculation) -> String {
        "zumod_decimal_\(calculation.rawValue)"
    }

    /// SQLite's error for a calculation without a result.
    public static let noResult = "a function has no result for this number, or one that is too large"

    /// Deterministic functions of one number that return it as a whole one, or null for null, and fail with `noResult`
    /// if it doesn't fit in 64 bits. SQLite itself would continue with doubles.
    public enum Whole: String, Sendable, CaseIterable {
        /// The result of a calculation with whole numbers: a double means that it has become too large.
        case sum = "zumod_whole"
        /// A double, truncated towards zero.
        case cut = "zumod_cut"
    }

    /// A deterministic function that returns `DecimalText.real` of a decimal; null if there is none.
    public static let decimalReal = "zumod_decimal_real"

    /// Functions of text. All are deterministic (`SQLITE_DETERMINISTIC`), read their arguments as UTF-8, return text,
    /// and return null if any argument is null.
    public enum Scalar: String, Sendable, CaseIterable {
        /// `TextFold.lowered` of its argument.
        case lower = "zumod_lower"
        /// `TextFold.uppered` of its argument.
        case upper = "zumod_upper"
        /// The wire form of the date that `Instant.parse` reads in its argument; null if there is none.
        case date = "zumod_date"
        /// `TextFold.replacing`, with a text, what to search for, and its replacement.
        case replace = "zumod_replace"
        /// The same, with the maximum size of the result in bytes as its fourth argument; fails if it is exceeded, as
        /// SQLite does when something is too big.
        case replaceShort = "zumod_replaced"
        /// A text (first) of at most that many bytes (second); otherwise fails, like SQLite when something is too big.
        case short = "zumod_short"
        /// `Double.shortestText` of its argument.
        case numberText = "zumod_number_text"
        /// The number of code points in its argument; SQLite's own function only counts those before the first U+0000.
        case length = "zumod_length"
        /// Whether the bytes of its argument are UTF-8: 1 or 0.
        case isUTF8 = "zumod_is_utf8"
        /// A date (first) moved by a number (second) of the third argument's milliseconds, or of months if it is null.
        /// Fails with `noResult` beyond the years 1 to 9999, and if the second is no longer a whole number.
        case moved = "zumod_moved"
        /// The position of a text (second) in another (first), in code points counted from 1; 0 if it isn't found. It
        /// takes the time of reading both.
        case position = "zumod_position"
        /// Whether a text (first) matches a `TextPattern` (second): 1 or 0.
        case matches = "zumod_matches"
        /// 1 if a number (first) is at most another (second); otherwise fails, like SQLite when something is too big.
        case within = "zumod_within"

        /// The number of arguments.
        public var argumentCount: Int {
            switch self {
            case .replaceShort: 4
            case .replace, .moved: 3
            case .matches, .position, .within, .short: 2
            case .lower, .upper, .date, .numberText, .length, .isUTF8: 1
            }
        }
    }
}
