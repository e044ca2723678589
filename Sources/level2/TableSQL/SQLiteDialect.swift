public import OData
public import Tables

/// SQL for SQLite, with the functions and collations that SQLiteStorage registers on each connection.
///
/// Columns are declared without a collation. Dates are text in their wire form.
public struct SQLiteDialect: SQLDialect {
    /// The columns whose texts are known to be plain (ASCII without NUL).
    private let plain: [Column]

    /// - Parameter plain: the columns whose texts are known to be plain.
    public init(plain: [Column] = []) {
        self.plain = plain
    }

    /// SQLite's parser gives up at 100 symbols on its stack; the rest is for the statement around the expression.
    public var maximumDepth: Int { 80 }

    /// Returns the numbered placeholder, which is the same for every type.
    public func placeholder(_ number: Int, for value: Value) -> String {
        "?\(number)"
    }

    /// Adds a collation, except for exact comparison, which columns without a collation do anyway.
    public func collated(_ text: SQLFragment, by rule: TextRule) -> SQLFragment {
        switch rule {
        case .exact: text
        case .ignoringCase: "\(text) COLLATE zumod_nocase"
        case .ordered: "\(text) COLLATE zumod_order"
        case .orderedPlain, .ignoringASCIICase: "\(text) COLLATE NOCASE"
        }
    }

    /// Returns `orderedPlain` for plain texts, which sort by `NOCASE`, as their index does.
    public func orderRule(of column: Column) -> TextRule { plain.contains(column) ? .orderedPlain : .ordered }

    /// Returns a dialect for rows with plain texts in these columns as well.
    public func knowing(plain columns: [Column]) -> any SQLDialect { SQLiteDialect(plain: plain + columns) }

    /// Compares with the constant's key up to its first character that no plain text has, which has its place among
    /// plain texts by `NOCASE`. That collation stops at NUL, before all longer texts. Plain texts have no characters
    /// beyond ASCII, but maybe bytes that aren't UTF-8: they come after every character in the order.
    public func ordered(_ column: SQLFragment, _ relation: BinaryOperator, beside constant: String) -> SQLFragment {
        let key = TextOrder.key(of: constant).unicodeScalars
        let odd = key.firstIndex { !$0.isASCII || $0.value == 0 }
        guard let odd, !key[odd].isASCII else {
            let place = SQLFragment(.text(String(odd.map { key[...$0] } ?? key[...])))
            return "\(column) \(relation.sql) \(place) COLLATE NOCASE"
        }
        let place: SQLFragment = "(\(SQLFragment(.text(String(key[..<odd])))) || CAST(x'80' AS TEXT)) COLLATE NOCASE"
        return switch relation {
        case .less, .lessOrEqual: "\(column) < \(place)"
        case .greater, .greaterOrEqual: "\(column) >= \(place)"
        // None are equal.
        default: "\(column) IS NULL AND \(column) IS NOT NULL"
        }
    }

    /// The index of a column sorts by SQLite's own `NOCASE`, in which non-ASCII characters come after all others. So a
    /// text with such characters that `NOCASE` puts before a constant of ASCII also comes before it in the order. One
    /// that it puts after the constant is compared again; a separate index finds such rows.
    public func compared(_ column: SQLFragment, _ relation: BinaryOperator, constant: String) -> SQLFragment? {
        guard let opposite = relation.opposite else { return nil }
        let usual = compared(column, relation, opposite, constant)
        guard plain.contains(where: { column.isName($0.name.text) }) else { return usual }
        // The permitted depth of a query must not depend on the contents of the rows.
        return ("(\(ordered(column, relation, beside: constant)))" as SQLFragment).counted(asDeep: usual.depth)
    }

    private func compared(
        _ column: SQLFragment, _ relation: BinaryOperator, _ opposite: BinaryOperator, _ constant: String
    ) -> SQLFragment {
        let isPlain = constant.isPlainASCII
        let constant = SQLFragment(.text(constant))
        let (sign, otherSign) = (relation.sql, opposite.sql)
        let ordered: SQLFragment = "\(column) \(sign) \(constant) COLLATE zumod_order"
        guard isPlain else { return "(\(ordered))" }
        let isOdd = Self.isBeyondASCII(column)
        let plain: SQLFragment = "\(column) \(sign) \(constant) COLLATE NOCASE"
        let behind: SQLFragment = "\(column) \(otherSign) \(constant) COLLATE NOCASE"
        let behindInOrder: SQLFragment = "\(column) \(otherSign) \(constant) COLLATE zumod_order"
        return switch relation {
        case .less, .lessOrEqual: "(\(plain) OR \(behind) AND unlikely(\(isOdd)) AND \(ordered))"
        default: "(\(plain) AND NOT (\(isOdd) AND \(behindInOrder)))"
        }
    }

    /// Returns whether a text has characters beyond ASCII, or U+0000, at which `NOCASE` stops.
    static func isBeyondASCII(_ column: SQLFragment) -> SQLFragment {
        "length(\(column)) <> length(CAST(\(column) AS BLOB))"
    }

    /// Uses the size of a BLOB: SQLite's `length` of text counts code points, up to the first NUL.
    public func weighing(_ column: SQLFragment, times factor: SQLFragment, onto sum: SQLFragment) -> SQLFragment {
        "\(sum) + ifnull(length(CAST(\(column) AS BLOB)), 0) * \(factor)"
    }

    /// The current time, in the form in which dates are stored.
    public var now: SQLFragment { "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')" }

    /// Uses SQLite's own operators, except for decimals, which it would read as doubles.
    public func arithmetic(
        _ operation: SQLArithmetic, of kind: NumberKind, _ operands: [SQLFragment]
    ) -> SQLFragment? {
        guard kind == .decimal else { return nil }
        return switch operation {
        case .add: "zumod_decimal_add(\(operands[0]), \(operands[1]))"
        case .subtract: "zumod_decimal_subtract(\(operands[0]), \(operands[1]))"
        case .multiply: "zumod_decimal_multiply(\(operands[0]), \(operands[1]))"
        case .negate: "zumod_decimal_negate(\(operands[0]))"
        }
    }

    /// Adds a collation, since decimals are text.
    public func compared(decimal: SQLFragment) -> SQLFragment { "\(decimal) COLLATE zumod_decimal" }

    /// Casts to text, keeping all digits.
    public func decimal(ofWhole number: SQLFragment) -> SQLFragment { "CAST(\(number) AS TEXT)" }

    /// Uses a function, since SQLite's own conversion is off by a bit for some texts.
    public func real(ofDecimal number: SQLFragment) -> SQLFragment { "zumod_decimal_real(\(number))" }

    /// Adds a sign against indexes: SQLite considers any equality selective (sqlite.org/queryplanner-ng.html).
    public func unindexed(_ column: SQLFragment) -> SQLFragment { "+\(column)" }

    /// Uses built-in functions, except for the case of scripts other than Latin and for dates in text.
    public func sql(_ operation: SQLOperation, _ operands: [SQLFragment]) -> SQLFragment {
        let first = operands[0]
        return switch operation {
        // SQLite has the standard operator only since 3.39, and has always had its own.
        case .differ: "\(first) IS NOT \(operands[1])"
        case .same: "\(first) IS \(operands[1])"
        // No other dates can be stored.
        case .shownDate: first
        case .contains(let rule): "(\(position(of: operands[1], in: first, rule)) > 0)"
        case .matches(let pattern): "zumod_matches(\(first), \(SQLFragment(.text(pattern.text))))"
        case .startsWith(let rule): "(\(position(of: operands[1], in: first, rule)) = 1)"
        case .endsWith(let rule): ends(folded(first, rule), with: folded(operands[1], rule))
        case .indexOf(let rule): "(\(position(of: operands[1], in: first, rule)) - 1)"
        case .length: "zumod_length(\(first))"
        case .substring where operands.count == 2: "substr(\(first), \(count(operands[1])) + 1)"
        case .substring: "substr(\(first), \(count(operands[1])) + 1, \(count(operands[2])))"
        case .textOfNumber(.real): "zumod_number_text(\(first))"
        case .textOfNumber: "CAST(\(first) AS TEXT)"
        case .lower: "zumod_lower(\(first))"
        case .upper: "zumod_upper(\(first))"
        case .trim: "trim(\(first))"
        case .replace(.exact): "replace(\(first), \(operands[1]), \(operands[2]))"
        case .replace: "zumod_replace(\(first), \(operands[1]), \(operands[2]))"
        case .datePart(let part): datePart(part, of: first)
        case .dateOfText: "zumod_date(\(first))"
        case .dayOfDate: "substr(\(first), 1, 10)"
        case .timeOfDate: "substr(\(first), 12, 12)"
        case .floor(.decimal): "zumod_decimal_floor(\(first))"
        case .ceiling(.decimal): "zumod_decimal_ceiling(\(first))"
        case .round(.decimal): "zumod_decimal_round(\(first))"
        case .divide(.decimal): "zumod_decimal_divide(\(first), \(operands[1]))"
        case .modulo(.decimal): "zumod_decimal_modulo(\(first), \(operands[1]))"
        case .floor: "floor(\(first))"
        case .ceiling: "ceil(\(first))"
        case .round: "round(\(first))"
        case .divide: "(\(first) / \(operands[1]))"
        case .modulo(.whole): "(\(first) % \(operands[1]))"
        case .modulo: "mod(\(first), \(operands[1]))"
        }
    }

    private func ends(_ text: SQLFragment, with end: SQLFragment) -> SQLFragment {
        "(substr(\(text), length(\(text)) - length(\(end)) + 1) = \(end))"
    }

    /// Folds a text; SQLite's own `lower` only folds A to Z.
    private func folded(_ text: SQLFragment, _ rule: TextRule) -> SQLFragment {
        switch rule {
        case .exact: text
        case .ignoringCase, .ordered, .orderedPlain: "zumod_lower(\(text))"
        case .ignoringASCIICase: "lower(\(text))"
        }
    }

    /// Finds a text's position. SQLite's own search can't be interrupted and may take the product of both lengths, so
    /// it is only used for short constants.
    private func position(of needle: SQLFragment, in text: SQLFragment, _ rule: TextRule) -> SQLFragment {
        let (text, isShort) = (folded(text, rule), needle.isShortConstant)
        let needle = folded(needle, rule)
        return isShort ? "instr(\(text), \(needle))" : "zumod_position(\(text), \(needle))"
    }

    /// Limits a number: SQLite keeps only the low 32 bits of the arguments of `substr`.
    private func count(_ number: SQLFragment) -> SQLFragment {
        "min(max(CAST(\(number) AS INTEGER), 0), 2147483646)"
    }

    private func datePart(_ part: SQLOperation.DatePart, of date: SQLFragment) -> SQLFragment {
        switch part {
        case .year: "CAST(substr(\(date), 1, 4) AS INTEGER)"
        case .month: "CAST(substr(\(date), 6, 2) AS INTEGER)"
        case .day: "CAST(substr(\(date), 9, 2) AS INTEGER)"
        case .hour: "CAST(substr(\(date), 12, 2) AS INTEGER)"
        case .minute: "CAST(substr(\(date), 15, 2) AS INTEGER)"
        case .second: "CAST(substr(\(date), 18, 2) AS INTEGER)"
        case .millisecond: "CAST(substr(\(date), 21, 3) AS INTEGER)"
        }
    }
}
