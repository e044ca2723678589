/// Functions whose arguments are all values.
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
    // The following only take numbers, and compute more than a sign or a rounding.
    case squareRoot = "SQRT"
    case square = "SQUARE"
    case power = "POWER"
    case exponential = "EXP"
    case logarithm = "LOG"
    case commonLogarithm = "LOG10"
    case sine = "SIN"
    case cosine = "COS"
    case tangent = "TAN"
    case cotangent = "COT"
    case arcSine = "ASIN"
    case arcCosine = "ACOS"
    case arcTangent = "ATAN"
    case angle = "ATN2"
    case radians = "RADIANS"
    case degrees = "DEGREES"
    case pi = "PI"
    case sign = "SIGN"
    case random = "RAND"

    /// The possible numbers of arguments.
    var counts: ClosedRange<Int> {
        switch self {
        case .now, .nowUTC, .systemNow, .systemNowLocal, .systemNowOffset, .newID, .identity, .pi, .random: 0...0
        case .logarithm: 1...2
        case .isNull, .nullIf, .left, .right, .replicate, .power, .angle: 2...2
        case .round, .position: 2...3
        case .substring, .replace: 3...3
        case .stuff: 4...4
        case .coalesce, .concatenate: 2...100
        default: 1...1
        }
    }

    /// The database's calculation for it, if it takes and returns doubles.
    var calculation: TransactCalculation? {
        switch self {
        case .squareRoot: .squareRoot
        case .exponential: .exponential
        case .commonLogarithm: .commonLogarithm
        case .sine: .sine
        case .cosine: .cosine
        case .tangent: .tangent
        case .cotangent: .cotangent
        case .arcSine: .arcSine
        case .arcCosine: .arcCosine
        case .arcTangent: .arcTangent
        case .angle: .angle
        default: nil
        }
    }
}
