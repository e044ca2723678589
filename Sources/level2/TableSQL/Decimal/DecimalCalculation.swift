public import Scalars

/// Calculates with decimals of any length, like PostgreSQL's `numeric`. Undefined results are nil.
public enum DecimalCalculation: String, Sendable, CaseIterable {
    /// The exact result.
    case add, subtract, multiply
    /// The quotient with `places` digits after the point, rounded half away from zero; nil if the divisor is 0.
    case divide
    /// The exact remainder with the sign of the dividend; nil if the divisor is 0.
    case modulo
    case negate
    /// Rounded to a whole number: down, up, or to the nearest, half away from zero.
    case floor, ceiling, round

    /// The number of digits of a quotient after the point.
    public static let places = 28

    /// The number of operands.
    public var operandCount: Int {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulo: 2
        case .negate, .floor, .ceiling, .round: 1
        }
    }

    /// Returns the result of the operation, as text.
    public func callAsFunction(_ operands: [DecimalNumber]) -> String? {
        guard operands.count == operandCount, let first = operands.first.map(Scaled.init) else { return nil }
        let second = operands.last.map(Scaled.init) ?? first
        let result: Scaled? =
            switch self {
            case .add: first.adding(second)
            case .subtract: first.adding(second.negated)
            case .multiply: first.multiplied(by: second)
            case .divide: first.divided(by: second, places: Self.places)
            case .modulo: first.remainder(dividingBy: second)
            case .negate: first.negated
            case .floor: first.whole(awayFromZero: first.isNegative)
            case .ceiling: first.whole(awayFromZero: !first.isNegative)
            case .round: first.rounded(places: 0)
            }
        return result?.text
    }
}

/// A whole number with the position of its decimal point.
private struct Scaled {
    let magnitude: Magnitude
    let scale: Int
    let isNegative: Bool

    init(_ magnitude: Magnitude, scale: Int, isNegative: Bool) {
        self.magnitude = magnitude
        self.scale = scale
        self.isNegative = isNegative
    }

    init(_ number: DecimalNumber) {
        let digits = number.text.utf8.filter { (48...57).contains($0) }
        let point = number.text.utf8.firstIndex(of: UInt8(ascii: "."))
        scale = point.map { number.text.utf8.distance(from: $0, to: number.text.utf8.endIndex) - 1 } ?? 0
        magnitude = Magnitude(digits: digits)
        isNegative = number.text.utf8.first == UInt8(ascii: "-")
    }

    var text: String {
        let digits = magnitude.digits
        let zeros = [UInt8](repeating: 48, count: max(0, scale + 1 - digits.count))
        return DecimalNumber(
            digits: zeros + digits, integerCount: max(1, digits.count - scale), isNegative: isNegative
        ).text
    }

    var negated: Scaled { Scaled(magnitude, scale: scale, isNegative: !isNegative) }

    /// Returns both magnitudes at the larger scale.
    private func aligned(with other: Scaled) -> (Magnitude, Magnitude, scale: Int) {
        let scale = max(scale, other.scale)
        return (magnitude.shifted(by: scale - self.scale), other.magnitude.shifted(by: scale - other.scale), scale)
    }

    func adding(_ other: Scaled) -> Scaled {
        let (left, right, scale) = aligned(with: other)
        if isNegative == other.isNegative { return Scaled(left + right, scale: scale, isNegative: isNegative) }
        return left < right
            ? Scaled(right - left, scale: scale, isNegative: other.isNegative)
            : Scaled(left - right, scale: scale, isNegative: isNegative)
    }

    func multiplied(by other: Scaled) -> Scaled {
        Scaled(
            magnitude * other.magnitude, scale: scale + other.scale, isNegative: isNegative != other.isNegative)
    }

    func divided(by other: Scaled, places: Int) -> Scaled? {
        guard !other.magnitude.isZero else { return nil }
        // One digit more than needed, truncated: it suffices for rounding.
        let (left, right, _) = aligned(with: other)
        let quotient = left.shifted(by: places + 1).quotientAndRemainder(dividingBy: right).quotient
        return Scaled(quotient, scale: places + 1, isNegative: isNegative != other.isNegative).rounded(places: places)
    }

    func remainder(dividingBy other: Scaled) -> Scaled? {
        guard !other.magnitude.isZero else { return nil }
        let (left, right, scale) = aligned(with: other)
        let remainder = left.quotientAndRemainder(dividingBy: right).remainder
        return Scaled(remainder, scale: scale, isNegative: isNegative)
    }

    /// Returns the next whole number, away from zero or towards it.
    func whole(awayFromZero: Bool) -> Scaled {
        let (cut, hasFraction, _) = cut(to: 0)
        let magnitude = awayFromZero && hasFraction ? cut + Magnitude(digits: [49]) : cut
        return Scaled(magnitude, scale: 0, isNegative: isNegative)
    }

    /// Rounds half away from zero.
    func rounded(places: Int) -> Scaled {
        let (cut, _, isHalf) = cut(to: places)
        let magnitude = isHalf ? cut + Magnitude(digits: [49]) : cut
        return Scaled(magnitude, scale: min(scale, places), isNegative: isNegative)
    }

    /// Returns the magnitude without the digits after that many places, whether any of those is not 0, and whether the
    /// first of them is 5 or more.
    private func cut(to places: Int) -> (Magnitude, hasRest: Bool, isHalf: Bool) {
        guard scale > places else { return (magnitude, false, false) }
        let digits = magnitude.digits
        let dropped = scale - places
        let rest = digits.suffix(dropped)
        let isHalf = digits.count >= dropped && rest.first.map { $0 >= 53 } ?? false
        return (Magnitude(digits: digits.dropLast(dropped)), rest.contains { $0 != 48 }, isHalf)
    }
}
