public import TableSQL
import Tables

/// Whatever is of dates is reckoned in UTC, whatever the session's zone is.
extension PostgresDialect: TransactDialect {
    /// A column of NULLs alone would be text.
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

    /// PostgreSQL's own conversion rounds.
    public func whole(ofReal number: SQLFragment) -> SQLFragment { "CAST(trunc(\(number)) AS int8)" }

    /// Sums of whole numbers are numeric.
    public func whole(_ number: SQLFragment) -> SQLFragment { "CAST(\(number) AS int8)" }

    /// There is no way from a boolean to 64 bits but by 32.
    public func whole(ofBoolean value: SQLFragment) -> SQLFragment { "CAST(CAST(\(value) AS int4) AS int8)" }

    /// By PostgreSQL's own conversion.
    public func real(ofWhole number: SQLFragment) -> SQLFragment { "CAST(\(number) AS float8)" }

    /// PostgreSQL's own conversion fails for what is no number.
    public func number(ofText text: SQLFragment, isWhole: Bool) -> SQLFragment {
        let pattern = SQLFragment(.text(TransactNumberPattern.text(isWhole: isWhole)))
        let type: SQLFragment = isWhole ? "int8" : "float8"
        return """
            CASE WHEN CAST(\(text) AS text) ~ \(pattern) THEN CAST(btrim(CAST(\(text) AS text)) AS \(type)) END
            """
    }

    /// PostgreSQL's own functions fail where there is no answer.
    public func calculation(_ calculation: TransactCalculation, _ numbers: [SQLFragment]) -> SQLFragment {
        let numbers = numbers.map { "CAST(\($0) AS float8)" as SQLFragment }
        let first = numbers[0]
        switch calculation {
        case .power: return "power(\(.list(numbers)))"
        case .wholePower: return whole(ofReal: "power(\(.list(numbers)))")
        case .exponential:
            let least = SQLFragment(.number(TransactCalculation.leastExponent))
            return "(CASE WHEN \(first) < \(least) THEN CAST(0 AS float8) ELSE exp(\(first)) END)"
        // Infinite at 0, which is an error.
        case .cotangent: return "(CAST(1 AS float8) / tan(\(first)))"
        case .arcSine, .arcCosine:
            let most = SQLFragment(.number(1 + TransactCalculation.roundingError))
            let name: SQLFragment = calculation == .arcSine ? "asin" : "acos"
            return "\(name)(CASE WHEN abs(\(first)) <= \(most) THEN greatest(least(\(first), 1), -1) ELSE \(first) END)"
        default: return "\(SQLFragment(stringLiteral: calculation.rawValue))(\(.list(numbers)))"
        }
    }

    /// As SQLite keeps it.
    public func text(ofDate date: SQLFragment) -> SQLFragment {
        "to_char(\(utc(date)), 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
    }

    /// By PostgreSQL's own function.
    public func repeated(_ text: SQLFragment, _ count: SQLFragment) -> SQLFragment {
        "repeat(CAST(\(text) AS text), CAST(\(count) AS int4))"
    }

    /// From the server's own strong source.
    public var newID: SQLFragment { "CAST(gen_random_uuid() AS text)" }

    /// PostgreSQL takes the last day of a month that is too short. It knows years before 1 and far beyond 9999, so each date
    /// takes a way to the end of its calendar and one to the start, which those don't survive.
    public func moved(_ date: SQLFragment, by count: SQLFragment, _ unit: TransactUnit) -> SQLFragment {
        let interval: SQLFragment =
            "CAST(\(count) AS int8) * interval '1 \(SQLFragment(stringLiteral: unit.rawValue))'"
        let way: SQLFragment = "interval '103830043 days' - interval '105551469 days' + interval '1721426 days'"
        return "((\(utc(date)) + \(interval) + \(way)) AT TIME ZONE 'UTC')"
    }

    /// By the seconds since 1970 of the start of the unit.
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

    /// In UTC.
    public func startOfDay(_ date: SQLFragment) -> SQLFragment {
        "(date_trunc('day', \(utc(date))) AT TIME ZONE 'UTC')"
    }

    /// In UTC.
    public func endOfMonth(_ date: SQLFragment) -> SQLFragment {
        "((date_trunc('month', \(utc(date))) + interval '1 month' - interval '1 day') AT TIME ZONE 'UTC')"
    }

    /// PostgreSQL counts days of the week from 0.
    public func dayNumber(of date: SQLFragment, inYear: Bool) -> SQLFragment {
        inYear
            ? "CAST(extract(doy FROM \(utc(date))) AS int8)" : "(CAST(extract(dow FROM \(utc(date))) AS int8) + 1)"
    }

    /// The first by the keys of texts, which sort as the texts do.
    public func extreme(ofText text: SQLFragment, isGreatest: Bool) -> SQLFragment {
        let key = collated(text, by: .ordered)
        return isGreatest
            ? "(array_agg(\(text) ORDER BY \(key) DESC) FILTER (WHERE \(text) IS NOT NULL))[1]"
            : "(array_agg(\(text) ORDER BY \(key)) FILTER (WHERE \(text) IS NOT NULL))[1]"
    }

    /// Folded, as the members are.
    public func sought(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { collated(text, by: rule) }

    /// The right side's collation holds for both.
    public func calculated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment { compared(text, by: rule) }

    /// By the collation of the bytes.
    public func exact(_ text: SQLFragment) -> SQLFragment { collated(text, by: .exact) }

    private func utc(_ date: SQLFragment) -> SQLFragment { "(CAST(\(date) AS timestamptz) AT TIME ZONE 'UTC')" }
}
