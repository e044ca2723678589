import OData
import Scalars
import SeedTesting
import Tables

/// Makes random expressions that are well typed for a table.
///
/// Columns whose names begin with `huge` are compared and sorted by, never calculated with.
struct ExpressionSource {
    var generator: SeededGenerator
    let ids: [RowID]
    /// Literals that compare with the system's dates, and with versions.
    let stamps: [Literal]
    let versions: [Literal]
    private let columns: [ColumnType: [String]]
    private let hugeColumns: [ColumnType: [String]]
    /// Whether stamps are the same in every store, so that their calendar parts can be asked for.
    let hasFixedStamps: Bool
    /// Whether there are lists: v3 alone has them, where a null in none of them is false and not unknown.
    var hasLists = false

    init(
        _ table: Table, generator: SeededGenerator, ids: [RowID], stamps: [Literal], versions: [Literal],
        hasFixedStamps: Bool
    ) {
        self.generator = generator
        self.ids = ids
        self.stamps = stamps
        self.versions = versions
        self.hasFixedStamps = hasFixedStamps
        let isHuge: (Column) -> Bool = { $0.name.text.lowercased().hasPrefix("huge") }
        columns = Self.names(table.columns.filter { !isHuge($0) })
        hugeColumns = Self.names(table.columns.filter(isHuge))
    }

    private static func names(_ columns: [Column]) -> [ColumnType: [String]] {
        Dictionary(grouping: columns, by: \.type).mapValues { $0.map(\.name.text) }
    }

    mutating func filter(depth: Int) -> Expression {
        truth(Int.random(in: 0...depth, using: &generator))
    }

    /// Up to three terms, by columns or by what is calculated from them.
    mutating func order() -> [OrderTerm] {
        (0..<generator.pick([0, 1, 1, 2, 3])).map { _ in
            let depth = generator.pick([0, 0, 0, 1, 2])
            let expression: Expression =
                switch Int.random(in: 0..<12, using: &generator) {
                case 8: decimal(depth)
                case 9: column(of: .decimal, huge: true) ?? decimal(0)
                case 10: generator.chance(50) ? day() : time()
                case 11: truth(depth)
                case 0: text(depth)
                case 1: whole(depth).expression
                case 2: real(depth).expression
                case 3: date()
                case 4: .column(generator.pick(["id", "ID", "version", "createdAt", "updatedAt", "deleted"]), at: 0)
                case 5: column(of: .integer, huge: true) ?? column(of: .number, huge: true) ?? whole(0).expression
                case 6: column(of: .number, huge: true) ?? real(0).expression
                default: column(of: .boolean) ?? text(0)
                }
            return OrderTerm(expression, isDescending: Bool.random(using: &generator))
        }
    }

    /// A column of a type, in any spelling of its name; nil where the table has none.
    mutating func column(of type: ColumnType, huge: Bool = false) -> Expression? {
        guard let names = huge ? hugeColumns[type] : columns[type] else { return nil }
        let name = generator.pick(names)
        return .column(generator.chance(10) ? name.uppercased() : name, at: 0)
    }

    mutating func literal(_ literal: Literal) -> Expression { .literal(literal, at: 0) }

    /// A literal whole number, a column of whole numbers, or an operation on such, with the most that it can come to.
    mutating func whole(_ depth: Int) -> (expression: Expression, most: Double) {
        switch depth == 0 ? Int.random(in: 0..<2, using: &generator) : Int.random(in: 2..<13, using: &generator) {
        case 0:
            let whole = generator.pick(SampleValues.wholes)
            return (literal(.integer(whole)), 1000)
        case 1: return (column(of: .integer) ?? literal(.integer(2)), 1000)
        case 2: return whole(0)
        case 3, 4, 5:
            let (left, right) = (whole(depth - 1), whole(depth - 1))
            let binary = generator.pick([BinaryOperator.add, .subtract, .multiply, .divide, .modulo])
            let most = binary == .multiply ? left.most * right.most : left.most + right.most
            guard most < 1e15 else { return left }
            return (.binary(binary, left.expression, right.expression, at: 0), most)
        case 6:
            let operand = whole(depth - 1)
            return (.negate(operand.expression, at: 0), operand.most)
        case 7: return (.call(.length, [text(depth - 1)], at: 0), 1000)
        case 8: return (.call(.indexOf, [text(depth - 1), text(depth - 1)], at: 0), 1000)
        case 9:
            let part = generator.pick([Function.year, .month, .day, .hour, .minute, .second])
            return (.call(part, [dateOrText()], at: 0), 10_000)
        case 10: return (.call(generator.pick([.year, .month, .day]), [day()], at: 0), 10_000)
        case 11: return (.call(generator.pick([.hour, .minute, .second]), [time()], at: 0), 10_000)
        default:
            let operand = whole(depth - 1)
            return (.call(generator.pick([.floor, .ceiling, .round]), [operand.expression], at: 0), operand.most)
        }
    }

    /// A real number or an operation that yields one, with the most that it can come to.
    mutating func real(_ depth: Int) -> (expression: Expression, most: Double) {
        switch depth == 0 ? Int.random(in: 0..<2, using: &generator) : Int.random(in: 2..<12, using: &generator) {
        case 0: return (literal(.real(generator.pick(SampleValues.reals))), 1e16)
        case 1: return (column(of: .number) ?? literal(.real(2.5)), 1e16)
        case 2: return real(0)
        case 3, 4, 5:
            let left = real(depth - 1)
            let right = Bool.random(using: &generator) ? real(depth - 1) : whole(depth - 1)
            let binary = generator.pick([BinaryOperator.add, .subtract, .multiply, .divide, .modulo])
            let most = binary == .divide ? left.most * 1e20 : left.most * right.most + left.most + right.most
            guard most < 1e90 else { return left }
            let isSwapped = binary != .divide && Bool.random(using: &generator)
            let operands = isSwapped ? (right.expression, left.expression) : (left.expression, right.expression)
            return (.binary(binary, operands.0, operands.1, at: 0), most)
        case 6:
            let operand = real(depth - 1)
            return (.negate(operand.expression, at: 0), operand.most)
        case 7:
            let operand = whole(depth - 1)
            return (.binary(.multiply, operand.expression, literal(.real(0.5)), at: 0), operand.most)
        case 8:
            return (.call(.fractionalSeconds, [generator.chance(50) ? time() : dateOrText()], at: 0), 1)
        case 9:
            let (left, right) = (whole(depth - 1), whole(depth - 1))
            return (.binary(.divideBy, left.expression, right.expression, at: 0), left.most)
        case 10:
            let real = real(depth - 1)
            guard real.most * 1e39 < 1e90 else { return real }
            let binary = generator.pick([BinaryOperator.add, .subtract, .multiply])
            return (.binary(binary, decimal(0), real.expression, at: 0), real.most * 1e39)
        default:
            let operand = real(depth - 1)
            return (.call(generator.pick([.floor, .ceiling, .round]), [operand.expression], at: 0), operand.most)
        }
    }

    /// A decimal or an operation that yields one.
    mutating func decimal(_ depth: Int) -> Expression {
        switch depth == 0 ? Int.random(in: 0..<3, using: &generator) : Int.random(in: 2..<10, using: &generator) {
        case 0: return decimalLiteral(generator.pick(SampleValues.decimals))
        case 1, 2: return column(of: .decimal) ?? decimalLiteral(generator.pick(SampleValues.decimals))
        case 3, 4, 5, 6:
            let left = decimal(depth - 1)
            let right = generator.chance(60) ? decimal(depth - 1) : whole(depth - 1).expression
            let binary = generator.pick([BinaryOperator.add, .subtract, .multiply, .divide, .modulo, .divideBy])
            return generator.chance(50) ? .binary(binary, left, right, at: 0) : .binary(binary, right, left, at: 0)
        case 7: return .negate(decimal(depth - 1), at: 0)
        case 8:
            let real = literal(.real(generator.pick(SampleValues.reals)))
            return .binary(generator.pick([.add, .subtract, .multiply, .divide]), decimal(depth - 1), real, at: 0)
        default: return .call(generator.pick([.floor, .ceiling, .round]), [decimal(depth - 1)], at: 0)
        }
    }

    mutating func decimalLiteral(_ digits: String) -> Expression {
        literal(DecimalNumber(digits).map(Literal.decimal) ?? .null)
    }

    mutating func day() -> Expression {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: Instant(day: generator.pick(SampleValues.dates).dayText).map { literal(.day($0)) } ?? literal(.null)
        case 1: .call(.date, [dateOrText()], at: 0)
        default: column(of: .dateOnly) ?? .call(.date, [dateOrText()], at: 0)
        }
    }

    mutating func time() -> Expression {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: TimeOfDay(generator.pick(SampleValues.times)).map { literal(.time($0)) } ?? literal(.null)
        case 1: .call(.time, [dateOrText()], at: 0)
        default: column(of: .timeOnly) ?? .call(.time, [dateOrText()], at: 0)
        }
    }

    mutating func text(_ depth: Int) -> Expression {
        switch depth == 0 ? Int.random(in: 0..<3, using: &generator) : Int.random(in: 3..<10, using: &generator) {
        case 0: return literal(.text(generator.pick(SampleValues.texts)))
        case 1 where !ids.contains { $0.isInteger } && generator.chance(20): return .column("id", at: 0)
        case 1, 2: return column(of: .string) ?? literal(.text(generator.pick(SampleValues.texts)))
        case 3: return text(0)
        case 4: return .call(.concat, [text(depth - 1), text(depth - 1)], at: 0)
        case 5: return .call(generator.pick([.toLower, .toUpper]), [text(depth - 1)], at: 0)
        case 6: return .call(.trim, [text(depth - 1)], at: 0)
        case 7: return .call(.substring, [text(depth - 1), whole(depth - 1).expression], at: 0)
        case 8:
            return .call(
                .substring, [text(depth - 1), whole(depth - 1).expression, whole(depth - 1).expression], at: 0)
        default:
            // What is looked for and what takes its place are constants; grammar, not types.
            let new = literal(.text(generator.pick(SampleValues.texts)))
            let needle = literal(.text(generator.pick(SampleValues.texts)))
            return .call(.replace, [text(0), needle, new], at: 0)
        }
    }

    private mutating func dateOrText() -> Expression {
        if generator.chance(20), let text = column(of: .string) { return text }
        return date(ofAnyStore: true)
    }

    /// - Parameter ofAnyStore: whether the date has to be the same in every store.
    mutating func date(ofAnyStore: Bool = false) -> Expression {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where hasFixedStamps || !ofAnyStore && columns[.date] == nil:
            return .column(generator.pick(["createdAt", "updatedAt"]), at: 0)
        case 1: return literal(.date(generator.pick(SampleValues.dates)))
        case 2 where hasFixedStamps && generator.chance(10): return .call(.now, [], at: 0)
        default: return column(of: .date) ?? literal(.date(generator.pick(SampleValues.dates)))
        }
    }
}

extension RowID {
    var isInteger: Bool {
        if case .integer = self { true } else { false }
    }
}
