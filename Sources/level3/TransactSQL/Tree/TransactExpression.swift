import Tables

/// A name with its position.
struct TransactName: Sendable, Hashable {
    let text: String
    let place: TransactPlace

    /// The prefix of names that scripts can't contain.
    static let hidden = "\u{0}"
}

/// An expression with a value. In T-SQL, conditions have none.
indirect enum TransactExpression: Sendable {
    case literal(Value, TransactPlace)
    /// A parameter or a variable, by name without the sign.
    case variable(TransactName)
    case placeholder(Int, TransactPlace)
    /// `@@ROWCOUNT`.
    case rowCount(TransactPlace)
    case column(TransactName, of: TransactName?)
    case negated(TransactExpression, TransactPlace)
    case binary(TransactOperator, TransactExpression, TransactExpression, TransactPlace)
    case call(TransactFunction, [TransactExpression], TransactPlace)
    /// A function of dates with the name of a part.
    case dateCall(String, TransactDatePart, [TransactExpression], TransactPlace)
    /// `COUNT(*)` has no argument.
    case aggregate(TransactAggregate, isDistinct: Bool, TransactExpression?, TransactPlace)
    case window(TransactWindow, TransactPlace)
    case cast(TransactExpression, TransactDataType, style: TransactExpression?, TransactPlace)
    case cases([(TransactCondition, TransactExpression)], otherwise: TransactExpression?, TransactPlace)
    case subquery(TransactQuery, TransactPlace)

    var place: TransactPlace {
        switch self {
        case .literal(_, let place), .placeholder(_, let place), .rowCount(let place), .negated(_, let place),
            .binary(_, _, _, let place), .call(_, _, let place), .dateCall(_, _, _, let place),
            .aggregate(_, _, _, let place), .window(_, let place), .cast(_, _, _, let place), .cases(_, _, let place),
            .subquery(_, let place):
            place
        case .variable(let name): name.place
        case .column(let name, let table): (table ?? name).place
        }
    }
}

/// Operators between values.
enum TransactOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
}

/// Functions of the rows of a group.
enum TransactAggregate: String, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case average = "AVG"
    case least = "MIN"
    case greatest = "MAX"
}

/// The parts of a date that can be added, counted or extracted.
enum TransactDatePart: Sendable {
    case year, quarter, month, dayOfYear, day, week, weekday, hour, minute, second, millisecond

    /// - Parameter name: a part's name or short form, in any case.
    init?(_ name: String) {
        switch name.lowercased() {
        case "year", "yy", "yyyy": self = .year
        case "quarter", "qq", "q": self = .quarter
        case "month", "mm", "m": self = .month
        case "dayofyear", "dy", "y": self = .dayOfYear
        case "day", "dd", "d": self = .day
        case "week", "wk", "ww": self = .week
        case "weekday", "dw", "w": self = .weekday
        case "hour", "hh": self = .hour
        case "minute", "mi", "n": self = .minute
        case "second", "ss", "s": self = .second
        case "millisecond", "ms": self = .millisecond
        default: return nil
        }
    }
}

/// A type in `CAST`, `CONVERT` or `DECLARE`.
enum TransactDataType: Sendable, Hashable {
    /// With the maximum length in characters; nil for none.
    case text(Int?)
    case whole, real, boolean, date
    /// A date without its time of day.
    case day
    /// A number with that many digits after the point.
    case fixed(Int)
}

/// A condition, which is true, false or unknown.
indirect enum TransactCondition: Sendable {
    case compare(TransactComparison, TransactExpression, TransactExpression, TransactPlace)
    case isNull(TransactExpression, TransactPlace)
    case like(TransactExpression, TransactExpression, escape: TransactExpression?, TransactPlace)
    case among(TransactExpression, [TransactExpression], TransactPlace)
    case amongRows(TransactExpression, TransactQuery, TransactPlace)
    case between(TransactExpression, TransactExpression, TransactExpression, TransactPlace)
    case exists(TransactQuery, TransactPlace)
    case not(TransactCondition)
    case all([TransactCondition])
    case any([TransactCondition])
}

/// Comparisons of two values.
enum TransactComparison: String, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    init?(symbol: String) {
        switch symbol {
        case "!=": self = .notEqual
        case "!<": self = .greaterOrEqual
        case "!>": self = .lessOrEqual
        default: self.init(rawValue: symbol)
        }
    }
}
