/// The functions that take values alone.
enum TransactFunction: String, Sendable, CaseIterable {
    case isNull = "ISNULL"
    case coalesce = "COALESCE"
    case nullIf = "NULLIF"
    case length = "LEN"
    case lower = "LOWER"
    case upper = "UPPER"
    case leftTrim = "LTRIM"
    case rightTrim = "RTRIM"
    case trim = "TRIM"
    case substring = "SUBSTRING"
    case replace = "REPLACE"
    case position = "CHARINDEX"
    case left = "LEFT"
    case right = "RIGHT"
    case concatenate = "CONCAT"
    case absolute = "ABS"
    case round = "ROUND"
    case floor = "FLOOR"
    case ceiling = "CEILING"
    case now = "GETDATE"
    case nowUTC = "GETUTCDATE"
    case systemNow = "SYSUTCDATETIME"
    case systemNowLocal = "SYSDATETIME"
    case systemNowOffset = "SYSDATETIMEOFFSET"
    case year = "YEAR"
    case month = "MONTH"
    case day = "DAY"
    case newID = "NEWID"
    case isNumeric = "ISNUMERIC"
    case stuff = "STUFF"
    case replicate = "REPLICATE"
    case space = "SPACE"
    case character = "CHAR"
    case endOfMonth = "EOMONTH"
    case identity = "SCOPE_IDENTITY"

    /// How many arguments it takes.
    var counts: ClosedRange<Int> {
        switch self {
        case .now, .nowUTC, .systemNow, .systemNowLocal, .systemNowOffset, .newID, .identity: 0...0
        case .length, .lower, .upper, .leftTrim, .rightTrim, .trim, .absolute, .floor, .ceiling, .year, .month, .day,
            .isNumeric, .space, .character, .endOfMonth:
            1...1
        case .isNull, .nullIf, .left, .right, .replicate: 2...2
        case .round, .position: 2...3
        case .substring, .replace: 3...3
        case .stuff: 4...4
        case .coalesce, .concatenate: 2...100
        }
    }
}
