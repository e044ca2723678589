public import OData
public import Tables

/// Where the SQL of the two databases differs.
public protocol SQLDialect: Sendable {
    /// How deep an expression of a query may be, as measured by `SQLFragment.depth`.
    var maximumDepth: Int { get }

    /// Whether the database may plan a statement again each time, for the values that are bound.
    var plansByValues: Bool { get }

    /// The placeholder of the binding with that number, counted from 1.
    func placeholder(_ number: Int, for value: Value) -> String

    /// A table's, column's or index's name as the database holds it.
    func physicalName(_ name: String) -> String

    /// The text with the collation by which it is compared or ordered.
    func collated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// The current date, the same throughout a statement.
    var now: SQLFragment { get }

    /// A sum, and the bytes of a column's text times a factor.
    func weighing(_ column: SQLFragment, times factor: SQLFragment, onto sum: SQLFragment) -> SQLFragment

    /// A column in a condition that nearly every row fulfils, so that no index should be chosen by it.
    func unindexed(_ column: SQLFragment) -> SQLFragment

    /// The text as the left side of a comparison with a collated text.
    func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// How the texts of a column are ordered without regard to case.
    func orderRule(of column: Column) -> TextRule

    /// The dialect for rows whose values in some columns are all plain texts, which are ASCII without NUL, or no texts.
    func knowing(plain columns: [Column]) -> any SQLDialect

    /// How a column of plain texts compares with a constant by their positions in the order.
    func ordered(_ column: SQLFragment, _ relation: BinaryOperator, beside constant: String) -> SQLFragment

    /// How a column compares with a constant text without regard to case, if an index serves a form other than the
    /// plain comparison; nil if it doesn't.
    func compared(_ column: SQLFragment, _ comparison: BinaryOperator, constant: String) -> SQLFragment?

    /// A term of an order, with nulls first, or last when descending.
    func sorted(_ term: SQLFragment, isDescending: Bool, isNeverNull: Bool) -> SQLFragment

    /// Calculates without failing, whatever the numbers are; nil if the usual operator does.
    func arithmetic(_ operation: SQLArithmetic, of kind: NumberKind, _ operands: [SQLFragment]) -> SQLFragment?

    /// A decimal as the right side of a comparison or as a term of an order.
    func compared(decimal: SQLFragment) -> SQLFragment

    /// The function of a column and the date that a client sends for it, which keeps the stored date if the client
    /// sends what it was shown; nil if dates are stored as they are shown.
    var keepsShownDates: String? { get }

    /// A whole number as a decimal.
    func decimal(ofWhole number: SQLFragment) -> SQLFragment

    /// The double that is nearest to a decimal; 0 and the infinities beyond a double's normal range.
    func real(ofDecimal number: SQLFragment) -> SQLFragment

    /// An operation of the query language. Its operands, like its result, need no parentheses next to any operator, but
    /// for the result of a comparison. Null in any operand gives null, unless it is a value like others.
    func sql(_ operation: SQLOperation, _ operands: [SQLFragment]) -> SQLFragment
}

extension SQLDialect {
    /// A statement is planned when it is prepared.
    public var plansByValues: Bool { false }

    /// For databases that know how many rows fulfil a condition.
    public func unindexed(_ column: SQLFragment) -> SQLFragment { column }

    /// The name itself.
    public func physicalName(_ name: String) -> String { name }

    /// The text itself: the collation of the other side holds for both.
    public func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { text }

    /// By their positions in the order, whatever they are.
    public func orderRule(of column: Column) -> TextRule { .ordered }

    /// The same one: its index is of the order itself.
    public func knowing(plain columns: [Column]) -> any SQLDialect { self }

    /// As any texts do.
    public func ordered(_ column: SQLFragment, _ relation: BinaryOperator, beside constant: String) -> SQLFragment {
        "\(compared(column, by: .ordered)) \(relation.sql) \(collated(SQLFragment(.text(constant)), by: .ordered))"
    }

    /// None is needed.
    public var keepsShownDates: String? { nil }

    /// For databases that sort nulls first anyway, such as SQLite.
    public func sorted(_ term: SQLFragment, isDescending: Bool, isNeverNull: Bool) -> SQLFragment {
        isDescending ? "\(term) DESC" : term
    }

}

/// How a number is stored and calculated with.
public enum NumberKind: Sendable, Hashable {
    /// In 64 bits.
    case whole
    /// As a double.
    case real
    /// Digit by digit, without rounding.
    case decimal
}

/// The operations that have an operator in SQL.
public enum SQLArithmetic: Sendable, Hashable {
    case add, subtract, multiply, negate
}

/// How two texts are compared, or one is searched in the other.
public enum TextRule: Sendable, Hashable {
    /// By code point.
    case exact
    /// Without regard to case in every script, as `TextFold` says.
    case ignoringCase
    /// By their positions in the order that ignores case, as `TextOrder` says. Not used for searching in texts.
    case ordered
    /// The same order at less cost, for plain texts (`SQLDialect.knowing`).
    case orderedPlain
    /// The same result as `ignoringCase` at less cost, if one of the two texts is a constant of ASCII characters other
    /// than NUL.
    ///
    /// `TextFold` never makes an ASCII character of another one. So a character beyond ASCII differs from each
    /// character of the constant whether it is folded or not, and folding A to Z suffices.
    case ignoringASCIICase
}

/// The operations for which the databases have different names or rules.
public enum SQLOperation: Sendable, Hashable {
    /// Whether two values differ, or are the same, with null as a value like others.
    case differ, same
    /// What clients see of a date.
    case shownDate
    /// Whether a text (first) contains another (second) anywhere, at its start or at its end. All contain the empty
    /// text.
    case contains(TextRule), startsWith(TextRule), endsWith(TextRule)
    /// Whether a pattern matches anywhere in a text.
    case matches(TextPattern)
    /// Where the second text begins in the first, counted from 0 in code points; -1 if it isn't there.
    case indexOf(TextRule)
    /// Code points of a text.
    case length
    /// A text from a position counted from 0, to its end or for a number of code points; negative numbers count as 0.
    case substring
    /// A number in as few digits as identify it; a decimal with all of its digits.
    case textOfNumber(NumberKind)
    /// A text with its case changed, one code point for one.
    case lower, upper
    /// A text without the blanks at its ends.
    case trim
    /// The first text with each occurrence of the second replaced by the third.
    case replace(TextRule)
    /// A part of a date in UTC, as a whole number.
    case datePart(DatePart)
    /// The date that a text contains; null if it contains none.
    case dateOfText
    /// A date's day or time of day in UTC, as the text in which those are stored.
    case dayOfDate, timeOfDate
    /// To a whole number: down, up, or to the nearest, half away from zero.
    case floor(NumberKind), ceiling(NumberKind), round(NumberKind)
    /// Null if the divisor is 0. Whole numbers are rounded towards zero, decimals to `DecimalCalculation.places` digits
    /// after the point.
    case divide(NumberKind)
    /// The remainder, with the sign of the dividend; null if the divisor is 0.
    case modulo(NumberKind)

    /// The parts of a date that the query language names.
    public enum DatePart: Sendable, Hashable {
        case year, month, day, hour, minute, second, millisecond
    }
}
