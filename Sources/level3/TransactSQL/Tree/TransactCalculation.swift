public import TableSQL

/// Calculations with doubles that both databases perform alike: the result is null only if an argument is, and an
/// undefined one ends the script, as on SQL Server.
public enum TransactCalculation: String, Sendable, CaseIterable {
    case squareRoot = "sqrt"
    case power
    /// A power truncated to a whole number.
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
    /// The angle of a point, whose y comes first.
    case angle = "atan2"
    /// 1, 0 or -1.
    case sign

    /// The number of arguments.
    public var argumentCount: Int {
        switch self {
        case .power, .wholePower, .angle: 2
        default: 1
        }
    }

    /// Below this, the exponential is 0, for which PostgreSQL reports an error.
    public static let leastExponent = -700.0
    /// How far a calculated sine or cosine may exceed 1, as it often does for the distance of a place from itself.
    public static let roundingError = 1e-12
}

extension SQLiteFunctions {
    /// Returns the name of the function for a calculation with doubles. All are deterministic, return a double, or a
    /// whole number if the calculation says so, or null if an argument is null, and fail with `noResult` if undefined.
    public static func name(of calculation: TransactCalculation) -> String {
        "zumod_math_\(calculation.rawValue)"
    }
}
