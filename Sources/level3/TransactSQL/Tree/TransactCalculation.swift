public import TableSQL

/// The calculations over doubles that both databases do alike: a number is null only where an argument is, and what has
/// no answer ends the script, as on SQL Server.
public enum TransactCalculation: String, Sendable, CaseIterable {
    case squareRoot = "sqrt"
    case power
    /// A power cut to a whole number.
    case wholePower = "whole_power"
    case exponential = "exp"
    case logarithm = "ln"
    case commonLogarithm = "log10"
    case sine = "sin"
    case cosine = "cos"
    case tangent = "tan"
    case cotangent = "cot"
    case arcSine = "asin"
    case arcCosine = "acos"
    case arcTangent = "atan"
    /// Of a point, its height first.
    case angle = "atan2"
    /// 1, 0 or -1.
    case sign

    /// How many numbers it takes.
    public var argumentCount: Int {
        switch self {
        case .power, .wholePower, .angle: 2
        default: 1
        }
    }

    /// Below it the exponential is 0, which PostgreSQL calls an error.
    public static let leastExponent = -700.0
    /// How far beyond 1 a sine or cosine may be that was calculated: that of a place's distance from itself often is.
    public static let roundingError = 1e-12
}

extension SQLiteFunctions {
    /// The function of a calculation over doubles. All are deterministic, answer a double, or a whole number where the
    /// calculation says so, null where an argument is null, and fail with `noResult` where there is no answer.
    public static func name(of calculation: TransactCalculation) -> String {
        "zumod_math_\(calculation.rawValue)"
    }
}
