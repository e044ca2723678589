/// The functions of T-SQL over numbers alone that are more than a sign or a place.
enum TransactMathematics: String, Sendable, CaseIterable {
    case squareRoot = "SQRT"
    case square = "SQUARE"
    case power = "POWER"
    case exponential = "EXP"
    case logarithm = "LOG"
    case commonLogarithm = "LOG10"
    case sine = "SIN"
    case cosine = "COS"
    case tangent = "TAN"
    case cotangent = "COT"
    case arcSine = "ASIN"
    case arcCosine = "ACOS"
    case arcTangent = "ATAN"
    case angle = "ATN2"
    case radians = "RADIANS"
    case degrees = "DEGREES"
    case pi = "PI"
    case sign = "SIGN"
    case random = "RAND"

    /// How many arguments it takes.
    var counts: ClosedRange<Int> {
        switch self {
        case .pi, .random: 0...0
        case .power, .angle: 2...2
        case .logarithm: 1...2
        default: 1...1
        }
    }

    /// What a database does for it, of doubles that make a double.
    var calculation: TransactCalculation? {
        switch self {
        case .squareRoot: .squareRoot
        case .exponential: .exponential
        case .commonLogarithm: .commonLogarithm
        case .sine: .sine
        case .cosine: .cosine
        case .tangent: .tangent
        case .cotangent: .cotangent
        case .arcSine: .arcSine
        case .arcCosine: .arcCosine
        case .arcTangent: .arcTangent
        case .angle: .angle
        case .square, .power, .logarithm, .radians, .degrees, .pi, .sign, .random: nil
        }
    }
}
