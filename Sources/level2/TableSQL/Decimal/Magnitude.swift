/// An unsigned whole number of any length, in limbs of nine decimal digits, least significant first, without leading
/// zero limbs.
struct Magnitude: Equatable {
    private static let base: UInt64 = 1_000_000_000

    private(set) var limbs: [UInt32] = []

    /// Parses ASCII digits.
    init(digits: some Sequence<UInt8>) {
        let digits = Array(digits)
        var end = digits.count
        limbs.reserveCapacity(end / 9 + 1)
        while end > 0 {
            let start = max(0, end - 9)
            limbs.append(digits[start..<end].reduce(0) { $0 * 10 + UInt32($1 - 48) })
            end = start
        }
        trim()
    }

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        trim()
    }

    var isZero: Bool { limbs.isEmpty }

    /// The ASCII digits without leading zeros; empty for zero.
    var digits: [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(limbs.count * 9)
        for limb in limbs.reversed() {
            var divisor: UInt32 = 100_000_000
            while divisor > 0 {
                let digit = UInt8(limb / divisor % 10)
                if digit > 0 || !digits.isEmpty { digits.append(48 + digit) }
                divisor /= 10
            }
        }
        return digits
    }

    /// Returns the number with zeros appended.
    func shifted(by zeros: Int) -> Magnitude {
        guard zeros > 0, !isZero else { return self }
        return Magnitude(digits: digits + repeatElement(48, count: zeros))
    }

    static func < (left: Magnitude, right: Magnitude) -> Bool {
        if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
        return left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed())
    }

    static func + (left: Magnitude, right: Magnitude) -> Magnitude {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(left.limbs.count, right.limbs.count) {
            carry += UInt64(index < left.limbs.count ? left.limbs[index] : 0)
            carry += UInt64(index < right.limbs.count ? right.limbs[index] : 0)
            sum.append(UInt32(carry % base))
            carry /= base
        }
        if carry > 0 { sum.append(UInt32(carry)) }
        return Magnitude(limbs: sum)
    }

    /// Subtracts; the right side must not be larger.
    static func - (left: Magnitude, right: Magnitude) -> Magnitude {
        var difference: [UInt32] = []
        var borrow: UInt64 = 0
        for index in left.limbs.indices {
            let taken = UInt64(index < right.limbs.count ? right.limbs[index] : 0) + borrow
            let limb = UInt64(left.limbs[index])
            borrow = limb < taken ? 1 : 0
            difference.append(UInt32(limb + borrow * base - taken))
        }
        return Magnitude(limbs: difference)
    }

    static func * (left: Magnitude, right: Magnitude) -> Magnitude {
        var product = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (place, limb) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (offset, other) in right.limbs.enumerated() {
                carry += UInt64(product[place + offset]) + UInt64(limb) * UInt64(other)
                product[place + offset] = UInt32(carry % base)
                carry /= base
            }
            product[place + right.limbs.count] = UInt32(carry)
        }
        return Magnitude(limbs: product)
    }

    /// Returns the whole quotient and the remainder; the divisor must not be zero. Long division, a limb at a time.
    func quotientAndRemainder(dividingBy divisor: Magnitude) -> (quotient: Magnitude, remainder: Magnitude) {
        var quotient: [UInt32] = []
        var rest = Magnitude(limbs: [])
        for limb in limbs.reversed() {
            rest = Magnitude(limbs: [limb] + rest.limbs)
            let (times, product) = rest.times(divisor)
            rest = rest - product
            quotient.append(times)
        }
        return (Magnitude(limbs: quotient.reversed()), rest)
    }

    /// Returns how often a divisor goes into a number less than `base` times as large, and the product.
    private func times(_ divisor: Magnitude) -> (UInt32, Magnitude) {
        guard !(self < divisor) else { return (0, Magnitude(limbs: [])) }
        // A double represents nine digits with some to spare, so the estimate is off by one at most.
        let places = limbs.count
        let estimate = (leading(ofPlaces: places) / divisor.leading(ofPlaces: places)).rounded(.down)
        var times = UInt32(min(estimate, Double(Self.base - 1)))
        var product = divisor * Magnitude(limbs: [times])
        while self < product {
            times -= 1
            product = product - divisor
        }
        while !(self - product < divisor) {
            times += 1
            product = product + divisor
        }
        return (times, product)
    }

    /// Returns the number relative to the magnitude of one with that many limbs.
    private func leading(ofPlaces places: Int) -> Double {
        var weight = 1.0
        var result = 0.0
        for place in stride(from: places - 1, through: max(0, places - 5), by: -1) {
            if place < limbs.count { result += Double(limbs[place]) * weight }
            weight /= Double(Self.base)
        }
        return result
    }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }
}
