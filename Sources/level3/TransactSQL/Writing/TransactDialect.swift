public import TableSQL
import Tables

/// What scripts require of a database beyond the query language.
public protocol TransactDialect: SQLDialect {
    /// Returns NULL as a value of a type, for places where nothing else determines it.
    func null(_ type: TransactType) -> SQLFragment

    /// Converts a double to a whole number, truncating towards zero.
    func whole(ofReal number: SQLFragment) -> SQLFragment

    /// Converts the result of a calculation with whole numbers, which a database may return as another type.
    func whole(_ number: SQLFragment) -> SQLFragment

    /// Converts a boolean to 0 or 1.
    func whole(ofBoolean value: SQLFragment) -> SQLFragment

    /// Converts a whole number to a double.
    func real(ofWhole number: SQLFragment) -> SQLFragment

    /// Converts a text to a number; null if it isn't one.
    func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment

    /// Returns a calculation with doubles.
    func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment

    /// Returns a date in its wire form.
    func text(ofDate date: SQLFragment) -> SQLFragment

    /// Returns a text repeated a number of times.
    func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment

    /// A random id, different for each row.
    var newID: SQLFragment { get }

    /// Returns a date moved by a number of units.
    func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment

    /// Returns the number of the unit that contains a date, counted from some day long ago.
    func count(of unit: TransactUnit, in date: SQLFragment) -> SQLFragment

    /// Returns the start of a date's day.
    func startOfDay(_ date: SQLFragment) -> SQLFragment

    /// Returns the last day of a date's month.
    func endOfMonth(_ date: SQLFragment) -> SQLFragment

    /// Returns the number of the day in the week, which starts on Sunday, or in the year; both counted from 1.
    func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment

    /// Returns the least or the greatest text of a group, in the order of texts.
    func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment

    /// Returns a text as the left side of `IN`, whose members are collated by the same rule.
    func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// Returns any text as the left side of a comparison whose right side is collated by the same rule.
    func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// Returns a text that compares by code point, whatever its own collation.
    func exact(_ text: SQLFragment) -> SQLFragment
}

extension TransactDialect {
    /// Returns a calculated text if it has no more bytes than a script may build; otherwise the statement fails. Both
    /// databases have a function of that name.
    func short(_ text: SQLFragment) -> SQLFragment { "zumod_short(\(text), \(mostBytes))" }

    /// Returns a text with replacements that ignore case, with the same limit.
    func replaced(_ text: SQLFragment, _ old: SQLFragment, _ new: SQLFragment) -> SQLFragment {
        "zumod_replaced(\(text), \(old), \(new), \(mostBytes))"
    }

    private var mostBytes: SQLFragment { SQLFragment(stringLiteral: "\(StatementScript.mostTextBytes)") }
}

/// The units by which dates are moved and counted.
public enum TransactUnit: String, Sendable {
    case month, day, hour, minute, second, millisecond

    /// The length; nil if it depends on the date.
    var milliseconds: Int? {
        switch self {
        case .month: nil
        case .day: 86_400_000
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1_000
        case .millisecond: 1
        }
    }
}
