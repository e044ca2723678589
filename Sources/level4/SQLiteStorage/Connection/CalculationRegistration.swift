import CSQLite
import Foundation
import TableSQL
import TransactSQL

extension FunctionRegistration {
    /// Calculations with doubles.
    static var calculations: [Definition] {
        TransactCalculation.allCases.map { calculation -> Definition in
            (
                SQLiteFunctions.name(of: calculation), calculation.argumentCount, 0,
                { call in
                    let indices = 0..<calculation.argumentCount
                    guard indices.allSatisfy({ call.type(of: $0) != SQLITE_NULL }) else { return }
                    calculation.answer(indices.map(call.number), call)
                }
            )
        }
            + SQLiteFunctions.Whole.allCases.map { function -> Definition in
                (function.rawValue, 1, 0, { answerWhole($0, cuts: function == .cut) })
            }
    }

    private static func answerWhole(_ call: FunctionCall, cuts: Bool) {
        switch call.type(of: 0) {
        case SQLITE_NULL: return
        case SQLITE_INTEGER: call.answerFirst()
        default:
            guard cuts, let whole = Int64(exactly: call.number(0).rounded(.towardZero)) else { return call.fail() }
            call.answer(whole)
        }
    }
}

extension TransactCalculation {
    /// Fails if there is no result, as on PostgreSQL.
    fileprivate func answer(_ numbers: [Double], _ call: FunctionCall) {
        let made = number(of: numbers[0], numbers[numbers.count - 1])
        // Only a power can be too small to be distinguished from 0.
        let isUnderflow = (self == .power || self == .wholePower) && made == 0 && numbers[0] != 0
        guard made.isFinite, !isUnderflow else { return call.fail() }
        guard self == .wholePower else { return call.answer(made) }
        guard let whole = Int64(exactly: made.rounded(.towardZero)) else { return call.fail() }
        call.answer(whole)
    }

    private func number(of first: Double, _ second: Double) -> Double {
        switch self {
        case .squareRoot: first.squareRoot()
        case .power, .wholePower: pow(first, second)
        case .exponential: first < Self.leastExponent ? 0 : exp(first)
        case .logarithm: log(first)
        case .commonLogarithm: log10(first)
        case .sine: sin(first)
        case .cosine: cos(first)
        case .tangent: tan(first)
        case .cotangent: 1 / tan(first)
        case .arcSine: asin(Self.held(first))
        case .arcCosine: acos(Self.held(first))
        case .arcTangent: atan(first)
        case .angle: atan2(first, second)
        case .sign: first > 0 ? 1 : first < 0 ? -1 : 0
        }
    }

    /// Returns a sine or cosine without the rounding error by which it may exceed 1.
    private static func held(_ number: Double) -> Double {
        abs(number) <= 1 + roundingError ? min(max(number, -1), 1) : number
    }
}
