import OData
import Scalars
import Tables

extension ExpressionResolver {
    /// Compares two operands. `eq null` and `ne null`, with null on either side, test for nulls. By SQL's rules, any
    /// other comparison with null is neither true nor false; v3 treats it as false, except for `ne`.
    func compare(
        _ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int
    ) throws(QueryError) -> Operand {
        if left.type == .null || right.type == .null {
            return compareWithNull(binary, left.type == .null ? right : left, at: offset)
        }
        var (left, right) = try matched(binary, left, right, at: offset)
        if left.isNaN || right.isNaN { return Operand(.boolean(binary == .notEqual), at: offset) }
        if let condition = condition(binary, left, right, at: offset) { return condition }
        if left.type.isNumber { (left, right) = comparable(left, right) }
        (left, right) = (definite(left), definite(right))
        if left.type == .date, let condition = compareDates(binary, left, right, at: offset) { return condition }
        if let served = served(binary, left, right) { return Operand(served, .boolean, at: offset) }
        var rightSQL = right.sql(within: .additive)
        var leftSQL = left.sql(within: .additive)
        if left.type.isText {
            let rule = rule(comparing: left, right, isOrder: binary != .equal && binary != .notEqual)
            rightSQL = dialect.collated(right.sql(within: .primary), by: rule)
            leftSQL = dialect.compared(leftSQL, by: rule)
        } else if left.type == .decimal {
            rightSQL = dialect.compared(decimal: right.sql(within: .primary))
        }
        let sql: SQLFragment =
            switch binary {
            case .notEqual where nulls == .value: dialect.sql(.differ, [leftSQL, rightSQL])
            case .notEqual: "\(leftSQL) <> \(rightSQL)"
            case .greater: "\(leftSQL) > \(rightSQL)"
            case .greaterOrEqual: "\(leftSQL) >= \(rightSQL)"
            case .less: "\(leftSQL) < \(rightSQL)"
            case .lessOrEqual: "\(leftSQL) <= \(rightSQL)"
            // A constant is not null, and every index supports the plain operator.
            case .equal where nulls == .value && left.literal == nil && right.literal == nil:
                dialect.sql(.same, [leftSQL, rightSQL])
            default: "\(leftSQL) = \(rightSQL)"
            }
        return Operand(sql, .boolean, .comparison, at: offset)
    }

    /// Returns a condition as a value: if null is a value, what isn't true is false.
    func definite(_ operand: Operand) -> Operand {
        guard nulls == .value, operand.type == .boolean, operand.field == nil, operand.literal == nil else {
            return operand
        }
        return Operand("\(operand.sql(within: .primary)) IS TRUE", .boolean, .comparison, at: operand.offset)
    }

    private func compareWithNull(_ binary: BinaryOperator, _ operand: Operand, at offset: Int) -> Operand {
        let sql = definite(operand).sql(within: .additive)
        return switch binary {
        case .equal: Operand("\(sql) IS NULL", .boolean, .comparison, at: offset)
        case .notEqual: Operand("\(sql) IS NOT NULL", .boolean, .comparison, at: offset)
        default: Operand("NULL", .boolean, at: offset)
        }
    }

    /// Simplifies a condition compared with `true` or `false` to itself or its opposite; a column is still compared, so
    /// that an index can be used.
    private func condition(
        _ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int
    ) -> Operand? {
        guard binary == .equal || binary == .notEqual else { return nil }
        for (condition, constant) in [(left, right), (right, left)] {
            guard condition.field == nil, condition.literal == nil, case .boolean(let value) = constant.literal else {
                continue
            }
            return value == (binary == .equal) ? condition : negation(of: condition, at: offset)
        }
        return nil
    }

    /// Returns a column's comparison with a constant text in a form supported by its index; nil if there is none.
    private func served(_ binary: BinaryOperator, _ left: Operand, _ right: Operand) -> SQLFragment? {
        guard comparison == .ignoringCase, left.type == .text, right.type == .text else { return nil }
        if left.field != nil, let constant = right.sql.constantText {
            return dialect.compared(left.sql, binary, constant: constant)
        }
        if right.field != nil, let constant = left.sql.constantText {
            return dialect.compared(right.sql, binary.turned, constant: constant)
        }
        return nil
    }

    /// Returns how the two texts compare: ids exactly, all other text as the query specifies.
    func rule(comparing left: Operand, _ right: Operand, isOrder: Bool = false) -> TextRule {
        guard left.type == .identifier || right.type == .identifier else {
            return isOrder && comparison == .ignoringCase ? .ordered : rule(between: left, right)
        }
        if case .guid = left.literal { return .ignoringASCIICase }
        if case .guid = right.literal { return .ignoringASCIICase }
        return .exact
    }

    /// Returns how texts compare, or are searched in one another.
    func rule(between left: Operand, _ right: Operand) -> TextRule {
        switch comparison {
        case .ordinal: .exact
        case .ignoringCase: left.isPlainASCII || right.isPlainASCII ? .ignoringASCIICase : .ignoringCase
        }
    }

    /// Converts both operands to one type: a constant may take the type of the other side.
    func matched(
        _ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int
    ) throws(QueryError) -> (Operand, Operand) {
        let (first, second) = (converted(left, for: right), converted(right, for: left))
        let canCompare =
            switch (first.type, second.type) {
            case (.text, .text), (.text, .identifier), (.identifier, .text), (.identifier, .identifier): true
            case (.date, .date), (.day, .day), (.time, .time), (.boolean, .boolean): true
            case (.version, .version): isReadableVersion(first, second) || binary == .equal || binary == .notEqual
            default: first.type.isNumber && second.type.isNumber
            }
        guard canCompare else {
            let sentence = "`\(binary.rawValue)` can't compare \(left.description) with \(right.description)."
            throw clash(at: offset, sentence)
        }
        return (first, second)
    }

    private func isReadableVersion(_ left: Operand, _ right: Operand) -> Bool {
        left.literal != Self.noVersion && right.literal != Self.noVersion
    }

    /// A constant that equals no row's version.
    private static let noVersion = Literal.integer(-1)

    /// Converts a constant to the type that it is compared with, if possible.
    private func converted(_ operand: Operand, for other: Operand) -> Operand {
        guard let literal = operand.literal else { return operand }
        // Whoever writes a UUID in capitals, such as a token, means the one that the column shows.
        if case .text(let text) = literal, let stored = other.form?.stored(text) {
            return Operand(.text(stored), at: operand.offset)
        }
        if takesOtherKinds, let column = other.field?.valueType, let value = literal.value.flatMap(column.lossless) {
            return Operand(Literal(value), at: operand.offset)
        }
        let offset = operand.offset
        return switch (literal, other.type) {
        case (.text(let text), .date): Instant(text).map { Operand(.date($0), at: offset) } ?? operand
        // Tables with dynamic schema keep dates as the text that clients sent.
        case (.date(let instant), .text) where other.literal == nil: Operand(.text(instant.wireText), at: offset)
        case (.text(let text), .day): Instant(day: text).map { Operand(.day($0), at: offset) } ?? operand
        case (.text(let text), .time): TimeOfDay(text).map { Operand(.time($0), at: offset) } ?? operand
        case (.day(let midnight), .date): Operand(.date(midnight), at: offset)
        case (.date(let instant), .day) where instant.isMidnight && other.literal == nil:
            Operand(.day(instant), at: offset)
        case (.day(let midnight), .text) where other.literal == nil: Operand(.text(midnight.dayText), at: offset)
        case (.time(let time), .text) where other.literal == nil: Operand(.text(time.wireText), at: offset)
        case (.integer(let number), .boolean) where number == 0 || number == 1:
            Operand(.boolean(number == 1), at: offset)
        // The original database's conversion; no row has that number.
        case (.text(let text), .integer) where other.field == .system(.id) && takesOtherKinds && text.isBlank:
            Operand(.integer(0), at: offset)
        case (.text(let text), .integer) where other.field == .system(.id):
            Int64(text).map { Operand(.integer($0), at: offset) } ?? operand
        case (.text(let text), .version): version(Version(wireText: text), at: offset)
        case (.binary(let bytes), .version): version(Version(bytes: bytes), at: offset)
        case (.guid, .text), (.guid, .identifier), (.guid, .guid): operand.typed(.text)
        default: operand
        }
    }

    private func version(_ version: Version?, at offset: Int) -> Operand {
        Operand(version.map { .integer($0.counter) } ?? Self.noVersion, at: offset).typed(.version)
    }
}

extension Literal {
    /// The constant as a value in a body; nil for types that bodies don't have.
    fileprivate var value: Value? {
        switch self {
        case .integer(let number): .integer(number)
        case .real(let number): .number(number)
        case .decimal(let number): .decimal(number)
        case .text(let text): .text(text)
        case .null, .boolean, .date, .day, .time, .guid, .binary: nil
        }
    }

    fileprivate init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .real(number)
        case .decimal(let number): self = .decimal(number)
        case .text(let text): self = .text(text)
        case .date(let instant): self = .date(instant)
        }
    }
}

extension Field {
    /// The type to which other constants are converted when compared with the column; nil for columns that only compare
    /// with their own type.
    fileprivate var valueType: ColumnType? {
        switch self {
        case .own(let column): column.type
        case .system(let column): column == .deleted ? .boolean : nil
        }
    }
}

extension String {
    /// Whether the text is empty or blank.
    fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") } }
}

extension Version {
    /// Parses the eight bytes of a binary literal, most significant first.
    fileprivate init?(bytes: [UInt8]) {
        guard bytes.count == 8, bytes[0] < 0x80 else { return nil }
        self.init(counter: bytes.reduce(0) { $0 << 8 | Int64($1) })
    }
}
