import OData
import SeedTesting
import Tables

extension ExpressionSource {
    /// An expression that may make no sense: any operand in any place, as somebody's hand could type it.
    mutating func loose(_ depth: Int) -> Expression {
        guard depth > 0 else { return looseLeaf() }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return looseLeaf()
        case 1: return .not(loose(depth - 1), at: 0)
        case 2: return .negate(loose(depth - 1), at: 0)
        case 3, 4, 5:
            let function = generator.pick(Function.allCases.filter { $0 != .matchesPattern })
            let count = Int.random(in: function.arity, using: &generator)
            let arguments = (0..<count).map { _ in loose(depth - 1) }
            // The replacement is a constant, and there are no replacements inside another; grammar, not types.
            return function == .replace ? text(1) : .call(function, arguments, at: 0)
        case 6: return truth(depth - 1)
        case 7: return text(depth - 1)
        default: return .binary(generator.pick(BinaryOperator.allCases), loose(depth - 1), loose(depth - 1), at: 0)
        }
    }

    private mutating func looseLeaf() -> Expression {
        switch Int.random(in: 0..<15, using: &generator) {
        case 12: decimal(generator.pick([0, 1]))
        case 13: day()
        case 14: time()
        case 0: literal(.null)
        case 1: literal(.boolean(Bool.random(using: &generator)))
        case 2: literal(.integer(generator.pick(SampleValues.wholes)))
        case 3: literal(.real(generator.pick(SampleValues.reals)))
        case 4: literal(.text(generator.pick(SampleValues.texts + SampleValues.dateTexts)))
        case 5: literal(.date(generator.pick(SampleValues.dates)))
        case 6: literal(.guid(generator.pick(SampleValues.guids)))
        case 7: literal(.binary(generator.pick([[], [0], [0, 0, 0, 0, 0, 0, 0, 1], [255, 0, 0, 0, 0, 0, 0, 1]])))
        case 8: .column(generator.pick(["id", "version", "createdAt", "updatedAt", "deleted"]), at: 0)
        case 9: whole(1).expression
        case 10: real(1).expression
        default: generator.chance(50) ? date() : truth(0)
        }
    }
}
