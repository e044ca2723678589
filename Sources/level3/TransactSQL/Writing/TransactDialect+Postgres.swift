public import TableSQL
import Tables

/// All dates are calculated in UTC, whatever the session's time zone.
extension PostgresDialect: TransactDialect {
    /// Casts NULL, since a column of nothing but NULLs would be text.
    public func null(_ type: TransactType) -> SQLFragment {
        switch type {
        case .null: "NULL"
        case .text, .identifier: "CAST(NULL AS text)"
        case .whole, .version: "CAST(NULL AS int8)"
        case .real: "CAST(NULL AS float8)"
        case .decimal: "CAST(NULL AS numeric)"
        case .boolean: "CAST(NULL AS bool)"
        case .date: "CAST(NULL AS timestamptz)"
        }
    }

    /// Truncates, since PostgreSQL's own conversion rounds.
    public func whole(ofReal number: SQLFragment) -> SQLFragment { "CAST(trunc(\(number)) AS int8)" }

    /// Casts to 64 bits, since sums of whole numbers are numeric.
    public func whole(_ number: SQLFragment) -> SQLFragment { "CAST(\(number) AS int8)" }

    /// Converts in two steps, since booleans can only be cast to 32 bits.
    public func whole(ofBoolean value: SQLFragment) -> SQLFragment { "CAST(CAST(\(value) AS int4) AS int8)" }

    /// Uses PostgreSQL's own conversion.
    public func real(ofWhole number: SQLFragment) -> SQLFragment { "CAST(\(number) AS float8)" }

    /// Checks the text first, since PostgreSQL's own conversion fails if it isn't a number.
    public func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment {
        let pattern = SQLFragment(.text(TransactNumberPattern.text(isWhole: isWhole)))
        let type: SQLFragment = isWhole ? "int8" : "float8"
        return """
            CASE WHEN CAST(\(text) AS text) ~ \(pattern) THEN CAST(btrim(CAST(\(text) AS text)) AS \(type)) END
            """
    }

    /// Uses PostgreSQL's own functions, which fail if the result is undefined.
    public func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment {
        let numbers = numbers.map { "CAST(\($0) AS float8)" as SQLFragment }
        let first = numbers[0]
        switch calculation {
        case .power: return "power(\(.list(numbers)))"
        case .wholePower: return whole(ofReal: "power(\(.list(numbers)))")
        case .exponential:
            let least = SQLFragment(.number(TransactCalculation.leastExponent))
            return "(CASE WHEN \(first) < \(least) THEN CAST(0 AS float8) ELSE exp(\(first)) END)"
        // Division by zero at 0 is an error.
        case .cotangent: return "(CAST(1 AS float8) / tan(\(first)))"
        case .arcSine, .arcCosine:
            let most = SQLFragment(.number(1 + TransactCalculation.roundingError))
            let name: SQLFragment = calculation == .arcSine ? "asin" : "acos"
            return "\(name)(CASE WHEN abs(\(first)) <= \(most) THEN greatest(least(\(first), 1), -1) ELSE \(first) END)"
        default: return "\(SQLFragment(stringLiteral: calculation.rawValue))(\(.list(numbers)))"
        }
    }

    /// Returns the text in SQLite's form.
    public func text(ofDate date: SQLFragment) -> SQLFragment {
        "to_char(\(utc(date)), 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
    }

    /// Uses PostgreSQL's own function.
    public func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment {
        "repeat(CAST(\(text) AS text), CAST(\(count) AS int4))"
    }

    /// A UUID from the server's own strong source of random bits.
    public var newID: SQLFragment { "CAST(gen_random_uuid() AS text)" }

    /// Uses PostgreSQL's intervals, which limit the day to that of a shorter month. It allows years before 1 and far
    /// beyond 9999, so each date is moved to the end of its calendar and to the start, which makes those fail.
    public func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment {
        let interval: SQLFragment =
            "CAST(\(count) AS int8) * interval '1 \(SQLFragment(stringLiteral: unit.rawValue))'"
        let way: SQLFragment = "interval '103830043 days' - interval '105551469 days' + interval '1721426 days'"
        return "((\(utc(date)) + \(interval) + \(way)) AT TIME ZONE 'UTC')"
    }

    /// Counts from the seconds since 1970 of the start of the unit.
    public func count(of unit: TransactUnit, in date: SQLFragment) -> SQLFragment {
        let time = utc(date)
        return switch unit {
        case .month: "CAST(extract(year FROM \(time)) * 12 + extract(month FROM \(time)) AS int8)"
        case .day: "CAST(floor(extract(epoch FROM \(time)) / 86400) AS int8)"
        case .hour: "CAST(floor(extract(epoch FROM \(time)) / 3600) AS int8)"
        case .minute: "CAST(floor(extract(epoch FROM \(time)) / 60) AS int8)"
        case .second: "CAST(floor(extract(epoch FROM \(time))) AS int8)"
        case .millisecond: "CAST(floor(extract(epoch FROM \(time)) * 1000) AS int8)"
        }
    }

    /// Truncates the time in UTC.
    public func startOfDay(_ date: SQLFragment) -> SQLFragment {
        "(date_trunc('day', \(utc(date))) AT TIME ZONE 'UTC')"
    }

    /// Calculates in UTC.
    public func endOfMonth(_ date: SQLFragment) -> SQLFragment {
        "((date_trunc('month', \(utc(date))) + interval '1 month' - interval '1 day') AT TIME ZONE 'UTC')"
    }

    /// Adds 1 to the day of the week, which PostgreSQL counts from 0.
    public func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment {
        inYear
            ? "CAST(extract(doy FROM \(utc(date))) AS int8)" : "(CAST(extract(dow FROM \(utc(date))) AS int8) + 1)"
    }

    /// Returns the first text by sort keys, which have the order of the texts.
    public func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment {
        let key = collated(text, by: .ordered)
        return isGreatest
            ? "(array_agg(\(text) ORDER BY \(key) DESC) FILTER (WHERE \(text) IS NOT NULL))[1]"
            : "(array_agg(\(text) ORDER BY \(key)) FILTER (WHERE \(text) IS NOT NULL))[1]"
    }

    /// Folds the text, like the members.
    public func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { collated(text, by: rule) }

    /// Leaves the collation to the right side, whose collation applies to both.
    public func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { compared(text, by: rule) }

    /// Uses the collation by code point.
    public func exact(_ text: SQLFragment) -> SQLFragment { collated(text, by: .exact) }

    private func utc(_ date: SQLFragment) -> SQLFragment { "(CAST(\(date) AS timestamptz) AT TIME ZONE 'UTC')" }
}
