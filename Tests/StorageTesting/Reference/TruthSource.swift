import OData
import Scalars
import SeedTesting
import Tables

extension ExpressionSource {
    /// An expression that is true, false or unknown.
    mutating func truth(_ depth: Int) -> Expression {
        guard depth > 0 else {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: return literal(.boolean(Bool.random(using: &generator)))
            case 1: return literal(.null)
            case 2: return .column("deleted", at: 0)
            default: return column(of: .boolean) ?? .column("DELETED", at: 0)
            }
        }
        switch Int.random(in: 0..<11, using: &generator) {
        case 10: return hasLists ? among(depth - 1) : comparison(depth - 1)
        case 0, 1: return .binary(.and, truth(depth - 1), truth(depth - 1), at: 0)
        case 2, 3: return .binary(.or, truth(depth - 1), truth(depth - 1), at: 0)
        case 4: return .not(truth(depth - 1), at: 0)
        case 5:
            let function = generator.pick([Function.startsWith, .endsWith, .substringOf, .contains])
            return .call(function, [text(depth - 1), text(depth - 1)], at: 0)
        default: return comparison(depth - 1)
        }
    }

    /// Whether a value is one of some literals of its kind, null among them now and then.
    private mutating func among(_ depth: Int) -> Expression {
        let kind = Int.random(in: 0..<5, using: &generator)
        let value =
            switch kind {
            case 0: text(depth)
            case 1:
                generator.chance(50) ? whole(depth).expression : column(of: .integer, huge: true) ?? whole(0).expression
            case 2: real(depth).expression
            case 3: decimal(depth)
            default: day()
            }
        let list = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            if generator.chance(10) { return literal(.null) }
            switch kind {
            case 0: return literal(.text(generator.pick(SampleValues.texts)))
            case 1, 2, 3: return anyNumber()
            default:
                let day = generator.pick(SampleValues.dates).dayText
                return generator.chance(50) ? literal(.text(day)) : literal(Instant(day: day).map(Literal.day) ?? .null)
            }
        }
        return .among(value, list, at: 0)
    }

    private mutating func anyNumber() -> Expression {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: literal(.integer(generator.pick(SampleValues.wholes)))
        case 1: literal(.real(generator.pick(SampleValues.reals)))
        case 2: decimalLiteral(generator.pick(SampleValues.hugeDecimals))
        default: decimalLiteral(generator.pick(SampleValues.decimals))
        }
    }

    /// A decimal beside a number of any kind.
    private mutating func decimalOperands(_ depth: Int) -> (Expression, Expression) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: (decimal(depth), decimal(depth))
        case 2: (decimal(depth), whole(depth).expression)
        case 3: (decimal(depth), real(depth).expression)
        case 4:
            (
                column(of: .decimal, huge: true) ?? decimal(0),
                generator.chance(50)
                    ? decimalLiteral(generator.pick(SampleValues.hugeDecimals))
                    : column(of: .integer, huge: true) ?? literal(.integer(generator.pick(SampleValues.hugeWholes)))
            )
        default:
            (
                column(of: .integer, huge: true) ?? whole(0).expression,
                decimalLiteral(generator.pick(SampleValues.hugeDecimals))
            )
        }
    }

    /// Days and times of day, also beside what can be read as one.
    private mutating func partialDates() -> (Expression, Expression) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: (day(), day())
        case 2, 3: (time(), time())
        case 4: (column(of: .dateOnly) ?? day(), literal(.text(generator.pick(SampleValues.dates).dayText)))
        default: (column(of: .date) ?? date(), Instant(day: "2026-11-22").map { literal(.day($0)) } ?? literal(.null))
        }
    }

    private mutating func comparison(_ depth: Int) -> Expression {
        let (left, right, anyOperator) = operands(depth)
        let binary =
            anyOperator
            ? generator.pick([.equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual])
            : generator.pick([BinaryOperator.equal, .notEqual])
        return Bool.random(using: &generator)
            ? .binary(binary, left, right, at: 0) : .binary(binary, right, left, at: 0)
    }

    /// Two operands that go together, and whether all operators do.
    private mutating func operands(_ depth: Int) -> (Expression, Expression, Bool) {
        switch Int.random(in: 0..<20, using: &generator) {
        case 16, 17:
            let (left, right) = decimalOperands(depth)
            return (left, right, true)
        case 18, 19:
            let (left, right) = partialDates()
            return (left, right, true)
        case 0, 1, 2: return (text(depth), text(depth), true)
        case 3, 4: return (whole(depth).expression, whole(depth).expression, true)
        case 5: return (real(depth).expression, real(depth).expression, true)
        case 6: return (real(depth).expression, whole(depth).expression, true)
        case 7:
            let huge = column(of: .integer, huge: true) ?? whole(0).expression
            return (huge, literal(.integer(generator.pick(SampleValues.hugeWholes))), true)
        case 8:
            let huge = column(of: .number, huge: true) ?? real(0).expression
            return (huge, literal(.real(generator.pick(SampleValues.hugeReals))), true)
        case 9: return (date(ofAnyStore: true), date(ofAnyStore: true), true)
        case 10: return dateCoercion()
        case 11: return (truth(depth), truth(depth), true)
        case 12:
            let truth = column(of: .boolean) ?? .column("deleted", at: 0)
            return (truth, literal(.integer(generator.pick([0, 1]))), true)
        case 13: return (anything(depth), literal(.null), generator.chance(20))
        case 14: return identity()
        default: return system()
        }
    }

    private mutating func anything(_ depth: Int) -> Expression {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: text(depth)
        case 1: whole(depth).expression
        case 2: real(depth).expression
        case 3: date()
        case 4: truth(depth)
        case 5: decimal(depth)
        default: literal(.null)
        }
    }

    /// A date column beside text, and a text column beside a date.
    private mutating func dateCoercion() -> (Expression, Expression, Bool) {
        if let date = column(of: .date), Bool.random(using: &generator) {
            return (date, literal(.text(generator.pick(SampleValues.dateTexts))), true)
        }
        guard let text = column(of: .string) else { return (literal(.null), literal(.null), true) }
        return (text, literal(.date(generator.pick(SampleValues.dates))), true)
    }

    /// Ids and GUIDs.
    private mutating func identity() -> (Expression, Expression, Bool) {
        if generator.chance(25), let text = column(of: .string) {
            return (text, literal(.guid(generator.pick(SampleValues.guids))), true)
        }
        switch ids.isEmpty ? .text("a") : generator.pick(ids) {
        case .integer(let number): return (.column("id", at: 0), literal(.integer(number)), true)
        case .text(let id):
            if generator.chance(20) {
                return (.column("id", at: 0), literal(.guid(generator.pick(SampleValues.guids))), true)
            }
            return (.column("id", at: 0), generator.chance(20) ? text(0) : literal(.text(id)), true)
        }
    }

    /// The server's dates and the version.
    private mutating func system() -> (Expression, Expression, Bool) {
        if !stamps.isEmpty, generator.chance(60) {
            let column = Expression.column(generator.pick(["updatedAt", "createdAt", "UPDATEDAT"]), at: 0)
            return (column, generator.chance(20) ? .column("updatedAt", at: 0) : literal(generator.pick(stamps)), true)
        }
        if !versions.isEmpty, generator.chance(80) {
            return (.column("version", at: 0), literal(generator.pick(versions)), true)
        }
        // What can't be a version is unequal to every version.
        return (.column("version", at: 0), literal(.text("not a version")), false)
    }
}
