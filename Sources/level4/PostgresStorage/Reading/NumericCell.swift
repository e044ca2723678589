import Scalars

/// PostgreSQL's `numeric` in its binary format: a count, a weight, a sign, a scale and digits of base 10,000.
enum NumericCell {
    private static let negative = 0x4000

    /// Returns the number with all its digits; nil if it isn't finite.
    static func decimal(_ bytes: Span<UInt8>) -> DecimalNumber? {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> Int {
            2 * index + 1 < bytes.count ? Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1]) : 0
        }
        let (count, weight, sign, scale) = (word(0), Int(Int16(truncatingIfNeeded: word(1))), word(2), word(3))
        guard sign == 0 || sign == negative, bytes.count >= 8 + 2 * count, scale < 0x4000 else { return nil }
        let integerGroups = max(0, weight + 1)
        let fractionGroups = (scale + 3) / 4
        var digits: [UInt8] = []
        digits.reserveCapacity(4 * (integerGroups + fractionGroups))
        for place in 0..<integerGroups + fractionGroups {
            // Groups before or after those that were sent are 0.
            let index = place - integerGroups + weight + 1
            let group = (0..<count).contains(index) ? word(4 + index) : 0
            for divisor in [1_000, 100, 10, 1] { digits.append(UInt8(truncatingIfNeeded: 48 + group / divisor % 10)) }
        }
        digits.removeLast(4 * fractionGroups - scale)
        return DecimalNumber(digits: digits, integerCount: 4 * integerGroups, isNegative: sign == negative)
    }

    /// Appends the binary format.
    static func append(_ decimal: DecimalNumber, to bytes: inout [UInt8]) {
        var (integer, fraction): ([UInt8], [UInt8]) = ([], [])
        var isBehindPoint = false
        for byte in decimal.text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isBehindPoint = true
            default: if isBehindPoint { fraction.append(byte - 48) } else { integer.append(byte - 48) }
            }
        }
        let scale = fraction.count
        integer.insert(contentsOf: repeatElement(0, count: (4 - integer.count % 4) % 4), at: 0)
        fraction.append(contentsOf: repeatElement(0, count: (4 - fraction.count % 4) % 4))
        let digits = integer + fraction
        func word(_ value: Int) {
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
        word(digits.count / 4)
        word(integer.count / 4 - 1)
        word(decimal.text.utf8.first == UInt8(ascii: "-") ? negative : 0)
        word(scale)
        for start in stride(from: 0, to: digits.count, by: 4) {
            word(digits[start..<start + 4].reduce(0) { $0 * 10 + Int($1) })
        }
    }
}
