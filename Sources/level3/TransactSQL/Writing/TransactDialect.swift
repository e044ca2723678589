public import TableSQL
import Tables

/// What scripts ask of a database beyond the query language.
public protocol TransactDialect: SQLDialect {
    /// NULL as a value of a type, for places where nothing else tells it.
    func null(_ type: TransactType) -> SQLFragment

    /// A whole number of a double, cut towards zero.
    func whole(ofReal number: SQLFragment) -> SQLFragment

    /// A whole number of a calculation, which a database may answer in another type.
    func whole(_ number: SQLFragment) -> SQLFragment

    /// 0 or 1.
    func whole(ofBoolean value: SQLFragment) -> SQLFragment

    /// A double of a whole number.
    func real(ofWhole number: SQLFragment) -> SQLFragment

    /// The number that a text holds; null where it holds none.
    func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment

    /// A calculation over doubles.
    func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment

    /// A date in its wire form.
    func text(ofDate date: SQLFragment) -> SQLFragment

    /// A text so many times.
    func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment

    /// A random id, another one for each row.
    var newID: SQLFragment { get }

    /// A date moved by a number of parts: of months, days or milliseconds.
    func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment

    /// The whole units of time since some day long ago that a date's calendar begins.
    func count(of unit: TransactUnit, in date: SQLFragment) -> SQLFragment

    /// The start of a date's day.
    func startOfDay(_ date: SQLFragment) -> SQLFragment

    /// The last day of a date's month.
    func endOfMonth(_ date: SQLFragment) -> SQLFragment

    /// Days since the start of the week, which is a Sunday, or of the year; both counted from 1.
    func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment

    /// The least or the greatest text of a group, in the order of texts.
    func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment

    /// A text as the left side of `IN`, whose members are collated by the same rule.
    func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// A text as the left side of a comparison whose right side is collated by the same rule, whatever it is made of.
    func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment

    /// A text that compares by code point, whatever it is made of.
    func exact(_ text: SQLFragment) -> SQLFragment
}

extension TransactDialect {
    /// A calculated text, where it has no more bytes than a script may make; the statement fails otherwise. Both databases
    /// have a function of that name.
    func short(_ text: SQLFragment) -> SQLFragment { "zumod_short(\(text), \(mostBytes))" }

    /// A text with others in it, likewise, without regard to case.
    func replaced(_ text: SQLFragment, _ old: SQLFragment, _ new: SQLFragment) -> SQLFragment {
        "zumod_replaced(\(text), \(old), \(new), \(mostBytes))"
    }

    private var mostBytes: SQLFragment { SQLFragment(stringLiteral: "\(StatementScript.mostTextBytes)") }
}

/// The units in which dates are moved and counted.
public enum TransactUnit: String, Sendable {
    case month, day, hour, minute, second, millisecond

    /// How long it is; nil where that depends on the date.
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
