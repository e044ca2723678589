/// What SQLiteStorage registers on every connection, so that the SQL of `SQLiteDialect` can run there.
public enum SQLiteFunctions {
    /// The collation that compares text by `TextFold.compare`, for the encoding UTF-8.
    public static let collation = "zumod_nocase"

    /// The collation that orders text by `TextOrder.compare`, for the encoding UTF-8.
    public static let orderCollation = "zumod_order"

    /// The collation that compares decimals by `DecimalText.compare`, for the encoding UTF-8.
    public static let decimalCollation = "zumod_decimal"

    /// The most digits of a decimal that the functions read. A filter at its limit comes to fewer.
    public static let longestDecimal = 40_000

    /// The function of a calculation over decimals in text. All are deterministic, answer text, and answer null where an
    /// argument is null or no decimal.
    public static func name(of calculation: DecimalCalculation) -> String {
        "zumod_decimal_\(calculation.rawValue)"
    }

    /// What SQLite is told of a calculation that has no answer.
    public static let noResult = "a function has no result for this number, or one that is too large"

    /// Deterministic functions of one number that answer it as a whole one, null for null, and fail with `noResult` where 64
    /// bits don't hold it. SQLite itself goes on with doubles.
    public enum Whole: String, Sendable, CaseIterable {
        /// What whole numbers come to: a double is what has become too large.
        case sum = "zumod_whole"
        /// A double, cut towards zero.
        case cut = "zumod_cut"
    }

    /// A deterministic function of one decimal that answers `DecimalText.real` of it; null where there is none.
    public static let decimalReal = "zumod_decimal_real"

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
        /// The same, of a text that comes to no more bytes than its fourth argument says; fails otherwise, as SQLite does
        /// with what is too big.
        case replaceShort = "zumod_replaced"
        /// A text (first) of at most so many bytes (second); fails otherwise, as SQLite does with what is too big.
        case short = "zumod_short"
        /// `Double.shortestText` of its argument.
        case numberText = "zumod_number_text"
        /// How many code points its argument has; SQLite's own counts those before the first U+0000.
        case length = "zumod_length"
        /// A date (first) so many (second) times later: by as many milliseconds as the third argument says, by months where
        /// that is null. Fails with `noResult` beyond the years 1 to 9999, as where the second is no whole number any more.
        case moved = "zumod_moved"
        /// Where a text (second) begins in another (first), by code points counted from 1; 0 where it doesn't. The time
        /// that it takes is that of reading both.
        case position = "zumod_position"
        /// Whether a text (first) matches a `TextPattern` (second): 1 or 0.
        case matches = "zumod_matches"
        /// 1 where a number (first) is at most another (second); fails otherwise, as SQLite does with what is too big.
        case within = "zumod_within"

        /// How many arguments the function takes.
        public var argumentCount: Int {
            switch self {
            case .replaceShort: 4
            case .replace, .moved: 3
            case .matches, .position, .within, .short: 2
            case .lower, .upper, .date, .numberText, .length: 1
            }
        }
    }
}
