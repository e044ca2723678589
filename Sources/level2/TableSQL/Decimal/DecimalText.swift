import Scalars

/// Decimals on SQLite: stored as text and compared by value, so that `1.10` equals `1.1`.
public enum DecimalText {
    /// Compares two decimals without parsing them. Text that isn't a decimal sorts after all decimals, byte by byte.
    /// - Returns: a number less than, equal to or greater than 0, as the first sorts before, with or after the second.
    public static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        switch (Digits(left), Digits(right)) {
        case (let first?, let second?): first.compare(left, with: second, right)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): compareBytes(left, right)
        }
    }

    /// Returns the double nearest to a decimal; 0 and the infinities beyond a double's normal range.
    public static func real(_ text: Span<UInt8>) -> Double? {
        guard let number = DecimalNumber(text, within: SQLiteFunctions.longestDecimal) else { return nil }
        let double = number.double
        if double.magnitude >= 1e308 { return double < 0 ? -.infinity : .infinity }
        return double.magnitude < 1e-307 ? 0 : double
    }

    private static func compareBytes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        var index = 0
        while index < min(left.count, right.count) {
            if left[index] != right[index] { return Int(left[index]) - Int(right[index]) }
            index += 1
        }
        return left.count - right.count
    }
}

/// The positions of a decimal's digits in its text. A SQL shell may write leading zeros, or a minus before zero.
private struct Digits {
    private let isNegative: Bool
    private let isZero: Bool
    private let integer: Range<Int>
    private let fraction: Range<Int>

    /// - Returns: nil if the text isn't a decimal, or has an exponent.
    init?(_ text: Span<UInt8>) {
        var position = 0
        var hasSign = false
        if text.count > 0, text[0] == UInt8(ascii: "-") {
            hasSign = true
            position = 1
        }
        let first = position
        while position < text.count, text[position] == 48 { position += 1 }
        let start = position
        var isZero = true
        while position < text.count, text[position] &- 48 < 10 { position += 1 }
        guard position > first else { return nil }
        integer = start..<position
        if !integer.isEmpty { isZero = false }
        var fraction = position..<position
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            let start = position
            while position < text.count, text[position] &- 48 < 10 {
                if text[position] != 48 { isZero = false }
                position += 1
            }
            guard position > start else { return nil }
            fraction = start..<position
        }
        guard position == text.count else { return nil }
        self.fraction = fraction
        self.isZero = isZero
        isNegative = hasSign && !isZero
    }

    func compare(_ text: Span<UInt8>, with other: Digits, _ otherText: Span<UInt8>) -> Int {
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let magnitude = compareMagnitudes(text, with: other, otherText)
        return isNegative ? -magnitude : magnitude
    }

    private func compareMagnitudes(_ text: Span<UInt8>, with other: Digits, _ otherText: Span<UInt8>) -> Int {
        if integer.count != other.integer.count { return integer.count - other.integer.count }
        for index in 0..<integer.count {
            let (first, second) = (text[integer.lowerBound + index], otherText[other.integer.lowerBound + index])
            if first != second { return Int(first) - Int(second) }
        }
        for index in 0..<max(fraction.count, other.fraction.count) {
            let first = index < fraction.count ? text[fraction.lowerBound + index] : 48
            let second = index < other.fraction.count ? otherText[other.fraction.lowerBound + index] : 48
            if first != second { return Int(first) - Int(second) }
        }
        return 0
    }
}
