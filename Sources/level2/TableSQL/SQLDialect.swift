public import OData
public import Tables

/// Where the SQL of the two databases differs.
public protocol SQLDialect: Sendable {
    /// The maximum depth of a query's expression, as measured by `SQLFragment.depth`.
    var maximumDepth: Int { get }

    /// Whether the database may plan a statement again for each set of bound values.
    var plansByValues: Bool { get }

    /// Returns the placeholder for the binding with that number, counted from 1.
    func placeholder(_ number: Int, for value: Value) -> String

    /// Returns the database's name for a table, column or index.
    func physicalName(_ name: String) -> String

    /// Returns a text with the collation by which it is compared or ordered.
    func collated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// The current date, the same throughout a statement.
    var now: SQLFragment { get }

    /// Returns a sum plus the size in bytes of a column's text times a factor.
    func weighing(_ column: SQLFragment, times factor: SQLFragment, onto sum: SQLFragment) -> SQLFragment

    /// Returns a column for a condition that nearly every row matches, so that no index is chosen for it.
    func unindexed(_ column: SQLFragment) -> SQLFragment

    /// Returns a text as the left side of a comparison with a collated text.
    func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// Returns how the texts of a column are ordered when case is ignored.
    func orderRule(of column: Column) -> TextRule

    /// Returns the dialect for rows whose values in some columns are all plain texts (ASCII without NUL) or not text.
    func knowing(plain columns: [Column]) -> any SQLDialect

    /// Returns the comparison of a column of plain texts with a constant by their positions in the order.
    func ordered(_ column: SQLFragment, _ relation: BinaryOperator, beside constant: String) -> SQLFragment

    /// Returns the case-insensitive comparison of a column with a constant text, if an index serves a form other than
    /// the plain comparison; otherwise nil.
    func compared(_ column: SQLFragment, _ comparison: BinaryOperator, constant: String) -> SQLFragment?

    /// Returns a term of an order, with nulls first, or last when descending.
    func sorted(_ term: SQLFragment, isDescending: Bool, isNeverNull: Bool) -> SQLFragment

    /// Calculates without failing, whatever the numbers are; nil if the usual operator never fails.
    func arithmetic(_ operation: SQLArithmetic, of kind: NumberKind, _ operands: [SQLFragment]) -> SQLFragment?

    /// Returns a decimal as the right side of a comparison or as a term of an order.
    func compared(decimal: SQLFragment) -> SQLFragment

    /// The name of a function of a column and a client's date for it, which keeps the stored date if the client sends
    /// the date that it was shown; nil if dates are stored as shown.
    var keepsShownDates: String? { get }

    /// Converts a whole number to a decimal.
    func decimal(ofWhole number: SQLFragment) -> SQLFragment

    /// Returns the double nearest to a decimal; 0 and the infinities beyond a double's normal range.
    func real(ofDecimal number: SQLFragment) -> SQLFragment

    /// Returns an operation of the query language. Its operands, like its result, need no parentheses next to any
    /// operator, except for the result of a comparison. Null in any operand gives null, unless null is a value.
    func sql(_ operation: SQLOperation, _ operands: [SQLFragment]) -> SQLFragment
}

extension SQLDialect {
    /// False: a statement is planned when it is prepared.
    public var plansByValues: Bool { false }

    /// Returns the column, for databases that know how many rows match a condition.
    public func unindexed(_ column: SQLFragment) -> SQLFragment { column }

    /// Returns the name itself.
    public func physicalName(_ name: String) -> String { name }

    /// Returns the text itself: the collation of the other side applies to both.
    public func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { text }

    /// Returns `ordered`, whatever the texts are.
    public func orderRule(of column: Column) -> TextRule { .ordered }

    /// Returns the same dialect: its index is on the order itself.
    public func knowing(plain columns: [Column]) -> any SQLDialect { self }

    /// Compares as for any texts.
    public func ordered(_ column: SQLFragment, _ relation: BinaryOperator, beside constant: String) -> SQLFragment {
        "\(compared(column, by: .ordered)) \(relation.sql) \(collated(SQLFragment(.text(constant)), by: .ordered))"
    }

    /// Nil: no function is needed.
    public var keepsShownDates: String? { nil }

    /// For databases that already sort nulls first, such as SQLite.
    public func sorted(_ term: SQLFragment, isDescending: Bool, isNeverNull: Bool) -> SQLFragment {
        isDescending ? "\(term) DESC" : term
    }

}

/// How a number is stored and calculated.
public enum NumberKind: Sendable, Hashable {
    /// A 64-bit integer.
    case whole
    /// A double.
    case real
    /// Exact decimal digits, without rounding.
    case decimal
}

/// The operations that are operators in SQL.
public enum SQLArithmetic: Sendable, Hashable {
    case add, subtract, multiply, negate
}

/// How two texts are compared, or one is searched in the other.
public enum TextRule: Sendable, Hashable {
    /// By code point.
    case exact
    /// Ignoring case in every script, as defined by `TextFold`.
    case ignoringCase
    /// By position in the order that ignores case, defined by `TextOrder`. Not used for searching in texts.
    case ordered
    /// The same order at lower cost, for plain texts (`SQLDialect.knowing`).
    case orderedPlain
    /// The same result as `ignoringCase` at lower cost, if one of the two texts is a constant of ASCII characters other
    /// than NUL.
    ///
    /// `TextFold` never maps another character to ASCII. So a non-ASCII character differs from each character of the
    /// constant whether it is folded or not, and folding A to Z suffices.
    case ignoringASCIICase
}

/// The operations for which the databases have different names or rules.
public enum SQLOperation: Sendable, Hashable {
    /// Whether two values differ, or are the same, treating null as a value.
    case differ, same
    /// A date as clients see it.
    case shownDate
    /// Whether a text (first) contains another (second) anywhere, at its start or at its end. All texts contain the
    /// empty one.
    case contains(TextRule), startsWith(TextRule), endsWith(TextRule)
    /// Whether a pattern matches anywhere in a text.
    case matches(TextPattern)
    /// The position of the second text in the first, counted from 0 in code points; -1 if it isn't found.
    case indexOf(TextRule)
    /// The number of code points in a text.
    case length
    /// A text from a position counted from 0, to its end or for a number of code points; negative numbers count as 0.
    case substring
    /// A number with the fewest digits that identify it; a decimal with all of its digits.
    case textOfNumber(NumberKind)
    /// A text with its case changed, code point by code point.
    case lower, upper
    /// A text without leading and trailing blanks.
    case trim
    /// The first text with each occurrence of the second replaced by the third.
    case replace(TextRule)
    /// A part of a date in UTC, as a whole number.
    case datePart(DatePart)
    /// The date that a text contains; null if it contains none.
    case dateOfText
    /// A date's day or time of day in UTC, in the text form in which those are stored.
    case dayOfDate, timeOfDate
    /// A whole number: rounded down, up, or to the nearest, half away from zero.
    case floor(NumberKind), ceiling(NumberKind), round(NumberKind)
    /// The quotient; null if the divisor is 0. Whole numbers are rounded towards zero, decimals to
    /// `DecimalCalculation.places` digits after the point.
    case divide(NumberKind)
    /// The remainder, with the sign of the dividend; null if the divisor is 0.
    case modulo(NumberKind)

    /// The parts of a date named in the query language.
    public enum DatePart: Sendable, Hashable {
        case year, month, day, hour, minute, second, millisecond
    }
}
