public import TableSQL
import Tables

/// Dates are text in their wire form: what their parts say is read from there.
extension SQLiteDialect: TransactDialect {
    /// NULL has no type.
    public func null(_ type: TransactType) -> SQLFragment { "NULL" }

    /// SQLite's own conversion would take the nearest of what 64 bits hold.
    public func whole(ofReal number: SQLFragment) -> SQLFragment { made(.cut, number) }

    /// Where it is a whole number still.
    public func whole(_ number: SQLFragment) -> SQLFragment { made(.sum, number) }

    private func made(_ function: SQLiteFunctions.Whole, _ number: SQLFragment) -> SQLFragment {
        "\(SQLFragment(stringLiteral: function.rawValue))(\(number))"
    }

    /// Booleans are kept as 0 and 1.
    public func whole(ofBoolean value: SQLFragment) -> SQLFragment { value }

    /// By SQLite's own conversion.
    public func real(ofWhole number: SQLFragment) -> SQLFragment { "CAST(\(number) AS REAL)" }

    /// SQLite's own conversion would read any text.
    public func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment {
        let pattern = SQLFragment(.text(TransactNumberPattern.text(isWhole: isWhole)))
        let type: SQLFragment = isWhole ? "INTEGER" : "REAL"
        return "CASE WHEN zumod_matches(\(text), \(pattern)) THEN CAST(trim(\(text)) AS \(type)) END"
    }

    /// By functions of the server's own, which know errors: SQLite's answer null.
    public func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment {
        "\(SQLFragment(stringLiteral: SQLiteFunctions.name(of: calculation)))(\(.list(numbers)))"
    }

    /// As it is.
    public func text(ofDate date: SQLFragment) -> SQLFragment { date }

    /// By zeros, which are two digits each.
    public func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment {
        "replace(hex(zeroblob(\(count))), '00', \(text))"
    }

    /// In the form of a random UUID.
    public var newID: SQLFragment {
        """
        (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' \
        || substr('89AB', abs(random() % 4) + 1, 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
        """
    }

    /// By a function of the server's own: SQLite's makes null of what is beyond the years that it knows.
    public func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment {
        let name = SQLFragment(stringLiteral: SQLiteFunctions.Scalar.moved.rawValue)
        let milliseconds = SQLFragment(stringLiteral: unit.milliseconds.map { String($0) } ?? "NULL")
        return "\(name)(\(date), \(count), \(milliseconds))"
    }

    /// By the seconds since 1970 of the start of the unit.
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

    /// By the text.
    public func startOfDay(_ date: SQLFragment) -> SQLFragment { "(substr(\(date), 1, 10) || 'T00:00:00.000Z')" }

    /// By SQLite's own steps.
    public func endOfMonth(_ date: SQLFragment) -> SQLFragment {
        """
        (strftime('%Y-%m-%d', substr(\(date), 1, 10), 'start of month', '+1 month', '-1 day') || 'T00:00:00.000Z')
        """
    }

    /// SQLite counts days of the week from 0.
    public func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment {
        inYear
            ? "CAST(strftime('%j', \(date)) AS INTEGER)" : "(CAST(strftime('%w', \(date)) AS INTEGER) + 1)"
    }

    /// By the collation of its argument.
    public func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment {
        isGreatest ? "max(\(text) COLLATE zumod_order)" : "min(\(text) COLLATE zumod_order)"
    }

    /// The left side's collation is that of the whole comparison.
    public func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { calculated(text, by: rule) }

    /// A collation that stands anywhere within an expression is that of the whole, unless another is said of it.
    public func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        rule == .exact ? exact(text) : collated(text, by: rule)
    }

    /// By the collation of the bytes.
    public func exact(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE BINARY" }
}

/// What a text has to look like to be converted to a number.
enum TransactNumberPattern {
    static func text(isWhole: Bool) -> String {
        isWhole
            ? "^ *[-+]?[0-9]{1,18} *$"
            : "^ *[-+]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})([eE][-+]?[0-9]{1,2})? *$"
    }
}
