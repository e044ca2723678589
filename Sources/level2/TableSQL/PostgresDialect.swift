public import OData
public import Tables

/// SQL as PostgreSQL 15 and later read it, with the functions that the migrations make (`Migrations/postgres`).
///
/// Placeholders carry their type, so that a statement is fully described by its text and can be prepared by it.
public struct PostgresDialect: SQLDialect {
    /// The one dialect of all supported versions.
    public init() {}

    /// PostgreSQL's parser has no such limit; what it can plan on its stack is far beyond this.
    public var maximumDepth: Int { 400 }

    /// Until a plan for all values looks as good.
    public var plansByValues: Bool { true }

    /// The placeholder with a cast to the value's type; null has none and takes the type that its place demands.
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

    /// The name, or another one if PostgreSQL can't hold it.
    public func physicalName(_ name: String) -> String {
        PostgresName.physical(name)
    }

    /// Folded if case is ignored, by its key if order matters; the collation is by code point.
    public func collated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        "(\(folded(text, rule))) COLLATE \"C\""
    }

    /// Folded as the other side is.
    public func compared(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        folded(text, rule)
    }

    /// The index of a column is of the keys of its texts, and texts that are equal have the same.
    public func compared(_ column: SQLFragment, _ relation: BinaryOperator, constant: String) -> SQLFragment? {
        guard relation == .equal else { return nil }
        let constant = SQLFragment(.text(constant))
        let (isSame, hasKey) = (TextRule.ignoringCase, TextRule.ordered)
        return """
            (\(compared(column, by: isSame)) = \(collated(constant, by: isSame)) \
            AND \(compared(column, by: hasKey)) = \(collated(constant, by: hasKey)))
            """
    }

    /// SQLite sorts nulls first, and last when descending. Columns that hold none are left alone: their index has no
    /// such order.
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

    /// Whole numbers are calculated as numeric, which doesn't overflow; doubles by functions that never fail.
    public func arithmetic(
        _ operation: SQLArithmetic, of kind: NumberKind, _ operands: [SQLFragment]
    ) -> SQLFragment? {
        switch (operation, kind) {
        // It keeps the type that its place demands.
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

    /// PostgreSQL compares its numeric by value.
    public func compared(decimal: SQLFragment) -> SQLFragment { decimal }

    /// By a function for each of PostgreSQL's types.
    public var keepsShownDates: String? { "zumod_kept" }

    /// All digits.
    public func decimal(ofWhole number: SQLFragment) -> SQLFragment { numeric(number) }

    /// PostgreSQL's own conversion fails beyond a double's range.
    public func real(ofDecimal number: SQLFragment) -> SQLFragment { "zumod_real(\(number))" }

    /// In a function that costs the planner nothing, so that it puts the condition before those that it protects.
    public func weighing(_ column: SQLFragment, times factor: SQLFragment, onto sum: SQLFragment) -> SQLFragment {
        "zumod_weigh(\(column), \(factor), \(sum))"
    }

    /// In the precision in which dates are kept.
    public var now: SQLFragment { "date_trunc('milliseconds', now())" }

    /// PostgreSQL's functions, or those of the migrations if its rules differ.
    public func sql(_ operation: SQLOperation, _ operands: [SQLFragment]) -> SQLFragment {
        let first = operands[0]
        return switch operation {
        case .differ: "\(first) IS DISTINCT FROM \(operands[1])"
        case .same: "\(first) IS NOT DISTINCT FROM \(operands[1])"
        // Columns of other programs may hold infinite and distant dates.
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

    /// Constants are folded here and not once for each row, but for letters that not every database knows: it has to do
    /// the same to both sides.
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

    /// Nothing stops PostgreSQL's own search before its end, so that it looks for short constants only.
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
