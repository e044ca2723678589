import Scalars

/// A decimal for the evaluator: digits in an array, each operation as it is done on paper. Slow on purpose, and nothing of
/// it is shared with what the stores calculate by.
struct ReferenceDecimal: Equatable {
    /// The least digit first, none in front that is 0.
    private var digits: [Int]
    private var scale: Int
    private var isNegative: Bool

    private init(_ digits: [Int], scale: Int, isNegative: Bool) {
        self.digits = digits
        self.scale = scale
        while self.digits.last == 0 { self.digits.removeLast() }
        self.isNegative = isNegative && !self.digits.isEmpty
    }

    init(_ whole: Int64) {
        self.init(DecimalNumber(whole))
    }

    init(_ number: DecimalNumber) {
        let point = number.text.firstIndex(of: ".")
        self.init(
            number.text.compactMap(\.wholeNumberValue).reversed(),
            scale: point.map { number.text.distance(from: $0, to: number.text.endIndex) - 1 } ?? 0,
            isNegative: number.text.hasPrefix("-"))
    }

    /// All digits, with the point where it was.
    var text: String {
        var text = digits.map(String.init)
        while text.count <= scale { text.append("0") }
        if scale > 0 { text.insert(".", at: scale) }
        return (isNegative ? "-" : "") + text.reversed().joined()
    }

    /// The nearest double by way of the text, with 0 and the infinities beyond a double's normal range.
    var real: Double {
        let text = (isNegative ? "-" : "") + digits.reversed().map(String.init).joined() + "e-\(scale)"
        let double = digits.isEmpty ? 0 : Double(text) ?? (isNegative ? -.infinity : .infinity)
        if double.magnitude >= 1e308 { return isNegative ? -.infinity : .infinity }
        return double.magnitude < 1e-307 ? 0 : double
    }

    static func + (left: Self, right: Self) -> Self {
        let (first, second, scale) = aligned(left, right)
        if left.isNegative == right.isNegative {
            return Self(sum(first, second), scale: scale, isNegative: left.isNegative)
        }
        return isLess(first, second)
            ? Self(difference(second, first), scale: scale, isNegative: right.isNegative)
            : Self(difference(first, second), scale: scale, isNegative: left.isNegative)
    }

    static prefix func - (number: Self) -> Self {
        Self(number.digits, scale: number.scale, isNegative: !number.isNegative)
    }

    static func * (left: Self, right: Self) -> Self {
        var product: [Int] = []
        for digit in right.digits.reversed() {
            product.insert(0, at: 0)
            for _ in 0..<digit { product = sum(product, left.digits) }
        }
        return Self(product, scale: left.scale + right.scale, isNegative: left.isNegative != right.isNegative)
    }

    /// To 28 digits behind the point, half away from zero; nil where the divisor is 0.
    func divided(by divisor: Self) -> Self? {
        let (first, second, _) = Self.aligned(self, divisor)
        guard !second.isEmpty else { return nil }
        let quotient = Self.quotient([Int](repeating: 0, count: 29) + first, second).digits
        return Self(quotient, scale: 29, isNegative: isNegative != divisor.isNegative).rounded(places: 28)
    }

    /// Nil where the divisor is 0.
    func remainder(_ divisor: Self) -> Self? {
        let (first, second, scale) = Self.aligned(self, divisor)
        guard !second.isEmpty else { return nil }
        return Self(Self.quotient(first, second).rest, scale: scale, isNegative: isNegative)
    }

    func rounded(places: Int = 0) -> Self {
        guard scale > places else { return self }
        let isUp = scale - places <= digits.count && digits[scale - places - 1] >= 5
        let kept = Array(digits.dropFirst(scale - places))
        return Self(isUp ? Self.sum(kept, [1]) : kept, scale: places, isNegative: isNegative)
    }

    var floor: Self {
        let cut = Self(Array(digits.dropFirst(scale)), scale: 0, isNegative: isNegative)
        return isNegative && digits.prefix(scale).contains { $0 != 0 } ? cut + -Self(1) : cut
    }

    var ceiling: Self { -((-self).floor) }
}

extension ReferenceDecimal: Comparable {
    static func == (left: Self, right: Self) -> Bool {
        let (first, second, _) = aligned(left, right)
        return first == second && left.isNegative == right.isNegative
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        let (first, second, _) = aligned(left, right)
        return left.isNegative ? isLess(second, first) : isLess(first, second)
    }
}

extension ReferenceDecimal {
    private static func aligned(_ left: Self, _ right: Self) -> ([Int], [Int], scale: Int) {
        let scale = max(left.scale, right.scale)
        func shifted(_ number: Self) -> [Int] {
            number.digits.isEmpty ? [] : [Int](repeating: 0, count: scale - number.scale) + number.digits
        }
        return (shifted(left), shifted(right), scale)
    }

    private static func isLess(_ left: [Int], _ right: [Int]) -> Bool {
        left.count != right.count
            ? left.count < right.count : left.reversed().lexicographicallyPrecedes(right.reversed())
    }

    private static func sum(_ left: [Int], _ right: [Int]) -> [Int] {
        var (result, carry): ([Int], Int) = ([], 0)
        for index in 0..<max(left.count, right.count) {
            carry += (index < left.count ? left[index] : 0) + (index < right.count ? right[index] : 0)
            result.append(carry % 10)
            carry /= 10
        }
        return carry > 0 ? result + [carry] : result
    }

    private static func difference(_ left: [Int], _ right: [Int]) -> [Int] {
        var (result, borrow): ([Int], Int) = ([], 0)
        for index in left.indices {
            let digit = left[index] - borrow - (index < right.count ? right[index] : 0)
            borrow = digit < 0 ? 1 : 0
            result.append(digit + 10 * borrow)
        }
        while result.last == 0 { result.removeLast() }
        return result
    }

    private static func quotient(_ left: [Int], _ right: [Int]) -> (digits: [Int], rest: [Int]) {
        var (quotient, rest): ([Int], [Int]) = ([], [])
        for digit in left.reversed() {
            rest.insert(digit, at: 0)
            while rest.last == 0 { rest.removeLast() }
            var times = 0
            while !isLess(rest, right) {
                rest = difference(rest, right)
                times += 1
            }
            quotient.insert(times, at: 0)
        }
        return (quotient, rest)
    }
}
