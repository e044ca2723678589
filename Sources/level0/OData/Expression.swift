import ByteText
public import Scalars

/// A parsed `$filter` or `$orderby` expression. Offsets are in UTF-8 bytes from the start of the option's decoded text.
public indirect enum Expression: Sendable, Equatable {
    case literal(Literal, at: Int)
    /// A property, as spelled by the client.
    case column(String, at: Int)
    case not(Expression, at: Int)
    case negate(Expression, at: Int)
    case binary(BinaryOperator, Expression, Expression, at: Int)
    /// Whether the value is one of a list of literals (v3).
    case among(Expression, [Expression], at: Int)
    case call(Function, [Expression], at: Int)

    /// Where the expression begins, or the position of its operator.
    public var offset: Int {
        switch self {
        case .literal(_, let offset), .column(_, let offset), .not(_, let offset), .negate(_, let offset),
            .binary(_, _, _, let offset), .among(_, _, let offset), .call(_, _, let offset):
            offset
        }
    }

    /// The direct subexpressions, from left to right.
    public var children: [Expression] {
        switch self {
        case .literal, .column: []
        case .not(let operand, _), .negate(let operand, _): [operand]
        case .binary(_, let left, let right, _): [left, right]
        case .among(let value, let list, _): [value] + list
        case .call(_, let arguments, _): arguments
        }
    }

    /// The columns that the expression names, as spelled, once for each occurrence.
    public var columns: [(name: String, offset: Int)] {
        var columns: [(name: String, offset: Int)] = []
        // An explicit list of pending nodes replaces the call stack, because chains are deep.
        var pending = [self]
        while let expression = pending.popLast() {
            if case .column(let name, let offset) = expression { columns.append((name, offset)) }
            pending += expression.children
        }
        return columns
    }
}

/// A constant in a query.
public enum Literal: Sendable, Equatable {
    case null
    case boolean(Bool)
    /// A whole number without a fraction or a real suffix, exact to 64 bits.
    case integer(Int64)
    case real(Double)
    /// A number that a double may not represent faithfully: one with the suffix `m`, or with more than 15 digits.
    case decimal(DecimalNumber)
    case text(String)
    case date(Instant)
    /// A day without a time, as midnight UTC (v3).
    case day(Instant)
    /// A time of day without a date (v3).
    case time(TimeOfDay)
    /// Lower-case, with hyphens.
    case guid(String)
    case binary([UInt8])

    /// Compares kind and value, text byte by byte.
    public static func == (left: Literal, right: Literal) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)), (.guid(let left), .guid(let right)): left.isExactly(right)
        case (.date(let left), .date(let right)), (.day(let left), .day(let right)): left == right
        case (.time(let left), .time(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        case (.null, _), (.boolean, _), (.integer, _), (.real, _), (.decimal, _), (.text, _), (.date, _), (.day, _),
            (.time, _), (.guid, _), (.binary, _):
            false
        }
    }
}

/// An operator between two operands, by its wire name.
public enum BinaryOperator: String, Sendable, CaseIterable {
    case or, and
    case equal = "eq", notEqual = "ne"
    case greater = "gt", greaterOrEqual = "ge", less = "lt", lessOrEqual = "le"
    case add, subtract = "sub"
    case multiply = "mul", divide = "div", modulo = "mod"
    /// Division that is real even for whole numbers (v3).
    case divideBy = "divby"
}

/// A function of the query language, by its wire name.
public enum Function: String, Sendable, CaseIterable {
    case startsWith = "startswith", endsWith = "endswith", substringOf = "substringof", indexOf = "indexof"
    case length, substring, concat, toLower = "tolower", toUpper = "toupper", trim, replace
    case year, month, day, hour, minute, second
    case floor, ceiling, round
    /// v3 only.
    case contains, matchesPattern = "matchespattern", fractionalSeconds = "fractionalseconds", date, time, now

    /// The number of arguments that the function takes.
    public var arity: ClosedRange<Int> {
        switch self {
        case .now: 0...0
        case .length, .toLower, .toUpper, .trim, .year, .month, .day, .hour, .minute, .second, .fractionalSeconds,
            .date,
            .time, .floor, .ceiling, .round:
            1...1
        case .contains, .matchesPattern, .startsWith, .endsWith, .substringOf, .indexOf, .concat: 2...2
        case .substring: 2...3
        case .replace: 3...3
        }
    }
}

/// One term of `$orderby`.
public struct OrderTerm: Sendable, Equatable {
    /// The expression to order by.
    public let expression: Expression
    /// Whether the order is descending.
    public let isDescending: Bool

    /// Creates a term.
    public init(_ expression: Expression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}
