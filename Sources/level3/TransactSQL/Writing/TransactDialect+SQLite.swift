public import TableSQL
import Tables

/// Dates are text in their wire form: their parts are read from it.
extension SQLiteDialect: TransactDialect {
    /// Returns NULL, which has no type.
    public func null(_ type: TransactType) -> SQLFragment { "NULL" }

    /// Uses a function, since SQLite's own conversion would clamp to 64 bits.
    public func whole(ofReal number: SQLFragment) -> SQLFragment { made(.cut, number) }

    /// Uses a function that fails if it isn't a whole number any more.
    public func whole(_ number: SQLFragment) -> SQLFragment { made(.sum, number) }

    private func made(_ function: SQLiteFunctions.Whole, _ number: SQLFragment) -> SQLFragment {
        "\(SQLFragment(stringLiteral: function.rawValue))(\(number))"
    }

    /// Returns the value, since booleans are stored as 0 and 1.
    public func whole(ofBoolean value: SQLFragment) -> SQLFragment { value }

    /// Uses SQLite's own conversion.
    public func real(ofWhole number: SQLFragment) -> SQLFragment { "CAST(\(number) AS REAL)" }

    /// Checks the text first, since SQLite's own conversion would read any text.
    public func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment {
        let pattern = SQLFragment(.text(TransactNumberPattern.text(isWhole: isWhole)))
        let type: SQLFragment = isWhole ? "INTEGER" : "REAL"
        return "CASE WHEN zumod_matches(\(text), \(pattern)) THEN CAST(trim(\(text)) AS \(type)) END"
    }

    /// Uses the server's own functions, which fail with errors: SQLite's return null.
    public func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment {
        "\(SQLFragment(stringLiteral: SQLiteFunctions.name(of: calculation)))(\(.list(numbers)))"
    }

    /// Returns the date as it is.
    public func text(ofDate date: SQLFragment) -> SQLFragment { date }

    /// Replaces zero bytes, which are two hexadecimal digits each.
    public func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment {
        "replace(hex(zeroblob(\(count))), '00', \(text))"
    }

    /// A random UUID.
    public var newID: SQLFragment {
        """
        (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' \
        || substr('89AB', abs(random() % 4) + 1, 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
        """
    }

    /// Uses the server's own function: SQLite's returns null beyond the years that it supports.
    public func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment {
        let name = SQLFragment(stringLiteral: SQLiteFunctions.Scalar.moved.rawValue)
        let milliseconds = SQLFragment(stringLiteral: unit.milliseconds.map { String($0) } ?? "NULL")
        return "\(name)(\(date), \(count), \(milliseconds))"
    }

    /// Counts from the seconds since 1970 of the start of the unit.
    public func count(of unit: TransactUnit, in date: SQLFragment) -> SQLFragment {
        switch unit {
        case .month:
            return "(CAST(substr(\(date), 1, 4) AS INTEGER) * 12 + CAST(substr(\(date), 6, 2) AS INTEGER))"
        case .day: return "(CAST(strftime('%s', substr(\(date), 1, 10)) AS INTEGER) / 86400)"
        case .hour: return "(CAST(strftime('%s', substr(\(date), 1, 13) || ':00') AS INTEGER) / 3600)"
        case .minute: return "(CAST(strftime('%s', substr(\(date), 1, 16)) AS INTEGER) / 60)"
        case .second: return "CAST(strftime('%s', substr(\(date), 1, 19)) AS INTEGER)"
        case .millisecond:
            return """
                (CAST(strftime('%s', substr(\(date), 1, 19)) AS INTEGER) * 1000 \
                + CAST(substr(\(date), 21, 3) AS INTEGER))
                """
        }
    }

    /// Cuts the text.
    public func startOfDay(_ date: SQLFragment) -> SQLFragment { "(substr(\(date), 1, 10) || 'T00:00:00.000Z')" }

    /// Uses SQLite's own modifiers.
    public func endOfMonth(_ date: SQLFragment) -> SQLFragment {
        """
        (strftime('%Y-%m-%d', substr(\(date), 1, 10), 'start of month', '+1 month', '-1 day') || 'T00:00:00.000Z')
        """
    }

    /// Adds 1 to the day of the week, which SQLite counts from 0.
    public func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment {
        inYear
            ? "CAST(strftime('%j', \(date)) AS INTEGER)" : "(CAST(strftime('%w', \(date)) AS INTEGER) + 1)"
    }

    /// Sets the collation of the argument.
    public func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment {
        isGreatest ? "max(\(text) COLLATE zumod_order)" : "min(\(text) COLLATE zumod_order)"
    }

    /// Sets the collation of the left side, which applies to the whole comparison.
    public func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { calculated(text, by: rule) }

    /// Sets the collation: one inside an expression would otherwise apply to all of it.
    public func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        rule == .exact ? exact(text) : collated(text, by: rule)
    }

    /// Uses the binary collation.
    public func exact(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE BINARY" }
}

/// The form that a text must have to be converted to a number.
enum TransactNumberPattern {
    static func text(isWhole: Bool) -> String {
        isWhole
            ? "^ *[-+]?[0-9]{1,18} *$"
            : "^ *[-+]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})([eE][-+]?[0-9]{1,2})? *$"
    }
}
