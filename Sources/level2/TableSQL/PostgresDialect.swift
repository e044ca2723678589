public import OData
public import Tables

/// SQL for PostgreSQL 15 and later, with the functions created by the migrations (`Migrations/postgres`).
///
/// Placeholders carry their type, so that a statement is fully described by its text and can be prepared from it.
public struct PostgresDialect: SQLDialect {
    /// Creates the dialect, which is the same for all supported versions.
    public init() {}

    /// PostgreSQL's parser has no such limit; what its planner's stack can hold is far beyond this.
    public var maximumDepth: Int { 400 }

    /// True, until a generic plan looks as good.
    public var plansByValues: Bool { true }

    /// Returns the placeholder with a cast to the value's type, except for null, which takes the expected type.
    public func placeholder(_ number: Int, for value: Value) -> String {
        switch value {
        case .null: "$\(number)"
        case .boolean: "$\(number)::bool"
        case .integer: "$\(number)::int8"
        case .number: "$\(number)::float8"
        case .decimal: "$\(number)::numeric"
        case .text: "$\(number)::text"
        case .date: "$\(number)::timestamptz"
        }
    }

    /// Returns the name, or a replacement if PostgreSQL can't hold it.
    public func physicalName(_ name: String) -> String {
        PostgresName.physical(name)
    }

    /// Folds the text if case is ignored, or uses its sort key if order matters; the collation is by code point.
    public func collated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        "(\(folded(text, rule))) COLLATE \"C\""
    }

    /// Folds the text like the other side.
    public func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        folded(text, rule)
    }

    /// A column's index is on the sort keys of its texts, and equal texts have equal keys.
    public func compared(_ column: SQLFragment, _ relation: BinaryOperator, constant: String) -> SQLFragment? {
        guard relation == .equal else { return nil }
        let constant = SQLFragment(.text(constant))
        let (isSame, hasKey) = (TextRule.ignoringCase, TextRule.ordered)
        return """
            (\(compared(column, by: isSame)) = \(collated(constant, by: isSame)) \
            AND \(compared(column, by: hasKey)) = \(collated(constant, by: hasKey)))
            """
    }

    /// Sorts nulls like SQLite, first, or last when descending. Columns without nulls are left alone: their index has
    /// no such order.
    public func sorted(_ term: SQLFragment, isDescending: Bool, isNeverNull: Bool) -> SQLFragment {
        // PostgreSQL refuses bare constants.
        let term: SQLFragment = term.isNull ? "NULL::text" : term
        switch (isNeverNull, isDescending) {
        case (true, false): return term
        case (true, true): return "\(term) DESC"
        case (false, false): return "\(term) NULLS FIRST"
        case (false, true): return "\(term) DESC NULLS LAST"
        }
    }

    /// Calculates with whole numbers as numeric, which doesn't overflow, and with doubles by functions that never fail.
    public func arithmetic(
        _ operation: SQLArithmetic, of kind: NumberKind, _ operands: [SQLFragment]
    ) -> SQLFragment? {
        switch (operation, kind) {
        // It keeps the type that is expected.
        case (.negate, _) where operands[0].isNull: "NULL"
        case (.add, .real): "zumod_add(\(operands[0]), \(operands[1]))"
        case (.subtract, .real): "zumod_subtract(\(operands[0]), \(operands[1]))"
        case (.multiply, .real): "zumod_multiply(\(operands[0]), \(operands[1]))"
        case (.negate, .real): "(-\(double(operands[0])))"
        case (.add, _): "(\(numeric(operands[0])) + \(numeric(operands[1])))"
        case (.subtract, _): "(\(numeric(operands[0])) - \(numeric(operands[1])))"
        case (.multiply, _): "(\(numeric(operands[0])) * \(numeric(operands[1])))"
        case (.negate, _): "(-\(numeric(operands[0])))"
        }
    }

    /// Returns the decimal: PostgreSQL compares numeric by value.
    public func compared(decimal: SQLFragment) -> SQLFragment { decimal }

    /// An overloaded function for PostgreSQL's date types.
    public var keepsShownDates: String? { "zumod_kept" }

    /// Casts to numeric, keeping all digits.
    public func decimal(ofWhole number: SQLFragment) -> SQLFragment { numeric(number) }

    /// Uses a function, since PostgreSQL's own conversion fails beyond a double's range.
    public func real(ofDecimal number: SQLFragment) -> SQLFragment { "zumod_real(\(number))" }

    /// Uses a function declared cheap, so that the planner puts the condition before those that it protects.
    public func weighing(_ column: SQLFragment, times factor: SQLFragment, onto sum: SQLFragment) -> SQLFragment {
        "zumod_weigh(\(column), \(factor), \(sum))"
    }

    /// The current time, in the precision in which dates are stored.
    public var now: SQLFragment { "date_trunc('milliseconds', now())" }

    /// Uses PostgreSQL's functions, or those of the migrations if its rules differ.
    public func sql(_ operation: SQLOperation, _ operands: [SQLFragment]) -> SQLFragment {
        let first = operands[0]
        return switch operation {
        case .differ: "\(first) IS DISTINCT FROM \(operands[1])"
        case .same: "\(first) IS NOT DISTINCT FROM \(operands[1])"
        // Columns of other programs may hold infinite and very distant dates.
        case .shownDate: "zumod_shown(\(first))"
        case .contains(let rule): "(\(position(of: folded(operands[1], rule), in: folded(first, rule))) > 0)"
        case .matches(let pattern): "(\(text(first)) COLLATE \"C\" ~ \(SQLFragment(.text(pattern.postgresText))))"
        case .startsWith(let rule): "starts_with(\(folded(first, rule)), \(folded(operands[1], rule)))"
        case .endsWith(let rule): ends(folded(first, rule), with: folded(operands[1], rule))
        case .indexOf(let rule): "(\(position(of: folded(operands[1], rule), in: folded(first, rule))) - 1)"
        case .length: "zumod_length(\(first))"
        case .substring where operands.count == 2: "substr(\(text(first)), \(count(operands[1])) + 1)"
        case .substring: "substr(\(text(first)), \(count(operands[1])) + 1, \(count(operands[2])))"
        case .textOfNumber(.real): "zumod_number_text(\(first))"
        case .textOfNumber: text(first)
        case .lower: "zumod_fold(\(first))"
        case .upper: "zumod_upper(\(first))"
        case .trim: "btrim(\(text(first)))"
        case .replace(.exact): "replace(\(text(first)), \(operands[1]), \(operands[2]))"
        case .replace: "zumod_replace(\(first), \(operands[1]), \(operands[2]))"
        case .datePart(let part): datePart(part, of: first)
        case .dateOfText: "zumod_date(\(first))"
        case .dayOfDate: "to_char(\(time(of: first)), 'YYYY-MM-DD')"
        case .timeOfDate: "to_char(\(time(of: first)), 'HH24:MI:SS.MS')"
        case .floor(let kind): "floor(\(kind == .decimal ? numeric(first) : double(first)))"
        case .ceiling(let kind): "ceil(\(kind == .decimal ? numeric(first) : double(first)))"
        case .round(let kind): kind == .decimal ? "round(\(numeric(first)))" : "zumod_round(\(first))"
        case .divide(.whole): "div(\(numeric(first)), nullif(\(numeric(operands[1])), 0))"
        case .divide(.decimal): "zumod_decimal_divide(\(numeric(first)), \(numeric(operands[1])))"
        case .divide(.real): "zumod_divide(\(first), \(operands[1]))"
        case .modulo(.real): "zumod_modulo(\(first), \(operands[1]))"
        case .modulo: "mod(\(numeric(first)), nullif(\(numeric(operands[1])), 0))"
        }
    }

    private func ends(_ text: SQLFragment, with end: SQLFragment) -> SQLFragment {
        "(right(\(text), char_length(\(end))) = \(end) COLLATE \"C\")"
    }

    /// Folds constants here instead of for each row, except letters that not every database knows: then the database
    /// has to treat both sides alike.
    private func folded(_ text: SQLFragment, _ rule: TextRule) -> SQLFragment {
        let constant = text.constantText
        switch rule {
        case .exact: return text
        case .ordered, .orderedPlain:
            return constant.map { SQLFragment(.text(TextOrder.key(of: $0))) } ?? "zumod_sorted(\(text))"
        case .ignoringCase, .ignoringASCIICase:
            guard let constant, !TextFold.hasYoungLetters(constant) else { return "zumod_fold(\(text))" }
            return SQLFragment(.text(TextFold.lowered(constant)))
        }
    }

    /// Finds a text's position. PostgreSQL's own search can't be interrupted, so it is only used for short constants.
    private func position(of needle: SQLFragment, in text: SQLFragment) -> SQLFragment {
        needle.isShortConstant ? "strpos(\(text), \(needle))" : "zumod_position(\(text), \(needle))"
    }

    private func text(_ fragment: SQLFragment) -> SQLFragment { "CAST(\(fragment) AS text)" }
    private func numeric(_ fragment: SQLFragment) -> SQLFragment { "CAST(\(fragment) AS numeric)" }
    private func double(_ fragment: SQLFragment) -> SQLFragment { "CAST(\(fragment) AS float8)" }

    private func count(_ number: SQLFragment) -> SQLFragment {
        "zumod_count(\(numeric(number)))"
    }

    private func datePart(_ part: SQLOperation.DatePart, of date: SQLFragment) -> SQLFragment {
        let time = time(of: date)
        return switch part {
        case .year: "CAST(extract(year FROM \(time)) AS int8)"
        case .month: "CAST(extract(month FROM \(time)) AS int8)"
        case .day: "CAST(extract(day FROM \(time)) AS int8)"
        case .hour: "CAST(extract(hour FROM \(time)) AS int8)"
        case .minute: "CAST(extract(minute FROM \(time)) AS int8)"
        case .second: "CAST(floor(extract(second FROM \(time))) AS int8)"
        case .millisecond: "mod(CAST(floor(extract(milliseconds FROM \(time))) AS int8), 1000)"
        }
    }

    private func time(of date: SQLFragment) -> SQLFragment {
        "\(sql(.shownDate, [date])) AT TIME ZONE 'UTC'"
    }
}
