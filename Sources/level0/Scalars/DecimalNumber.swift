/// A number as its decimal digits, without rounding: `1.10` stays `1.10`, distinct from `1.1`.
///
/// Digits, not a binary value, are what the wire, SQLite's text and PostgreSQL's `numeric` have in common.
public struct DecimalNumber: Sendable, Hashable {
    /// An optional minus, digits without leading zeros, and for a fraction a point and its digits: JSON without an
    /// exponent. Zero has no minus. A number that `isTooLong` is left as it was written.
    public let text: String

    /// The maximum number of digits of a decimal column's value and of a decimal literal. .NET decimals have up to 29.
    public static let maximumDigits = 38

    /// Parses a number as in JSON and OData, with an optional exponent, which is expanded: `1.5e3` is `1500`.
    /// - Returns: nil if the text has any other form.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        let parts = text.withUTF8 { unsafe DecimalParts($0.span) }
        guard let parts else { return nil }
        let number = text.withUTF8 { unsafe Self.read($0.span, parts, within: Self.maximumDigits) }
        self = number ?? DecimalNumber(written: text)
    }

    /// Parses UTF-8 bytes in the same forms.
    /// - Returns: nil also if the result would have more digits than that.
    public init?(_ bytes: Span<UInt8>, within digits: Int) {
        guard let parts = DecimalParts(bytes), let number = Self.read(bytes, parts, within: digits) else { return nil }
        self = number
    }

    private init(written text: String) {
        self.text = text
    }

    /// Creates a whole number.
    public init(_ whole: Int64) {
        text = String(whole)
    }

    /// Creates the shortest decimal that is nearest to a double; nil if it isn't finite.
    public init?(_ number: Double) {
        guard number.isFinite else { return nil }
        self.init(number.description)
    }

    /// Whether the number, written out, has more than `maximumDigits` digits.
    public var isTooLong: Bool {
        digitCount > Self.maximumDigits || text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// The number of digits in the text, on both sides of the point.
    public var digitCount: Int {
        text.utf8.reduce(0) { $0 + ((48...57).contains($1) ? 1 : 0) }
    }

    /// The nearest double.
    public var double: Double { Double(text) ?? .nan }

    /// The number as an integer; nil if it has a non-zero fraction, or doesn't fit in 64 bits.
    public var whole: Int64? {
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        return fraction.allSatisfy { $0 == UInt8(ascii: "0") } ? truncated : nil
    }

    /// The number without its fraction; nil if that doesn't fit in 64 bits.
    public var truncated: Int64? {
        Int64(text.prefix { $0 != "." })
    }

    /// Returns whether the bytes are a decimal in the form of `text`. Does not check for minus zero.
    public static func isOneForm(_ bytes: Span<UInt8>) -> Bool {
        guard let parts = DecimalParts(bytes), parts.digits.upperBound == bytes.count else { return false }
        return parts.integerCount == 1 || bytes[parts.digits.lowerBound] != 48
    }

    private static func read(_ bytes: Span<UInt8>, _ parts: DecimalParts, within digitLimit: Int) -> DecimalNumber? {
        // Digits before the point, after applying the exponent; zero or less if the fraction begins with zeros.
        let (integerDigits, overflow) = parts.integerCount.addingReportingOverflow(parts.exponent)
        guard !overflow, abs(integerDigits) <= digitLimit else { return nil }
        let zerosInFront = max(0, -integerDigits)
        let zerosBehind = max(0, integerDigits - parts.digitCount)
        guard parts.digitCount + zerosInFront + zerosBehind <= digitLimit else { return nil }
        var digits: [UInt8] = []
        digits.reserveCapacity(parts.digitCount + zerosInFront + zerosBehind + 2)
        for _ in 0..<zerosInFront { digits.append(48) }
        for index in parts.digits where bytes[index] != UInt8(ascii: ".") { digits.append(bytes[index]) }
        for _ in 0..<zerosBehind { digits.append(48) }
        return DecimalNumber(digits: digits, integerCount: max(0, integerDigits), isNegative: parts.isNegative)
    }

    /// Creates the canonical form of a number from its digits.
    /// - Parameter integerCount: the number of ASCII digits before the point.
    public init(digits: [UInt8], integerCount: Int, isNegative: Bool) {
        var first = 0
        while first < integerCount - 1, digits[first] == 48 { first += 1 }
        var text: [UInt8] = []
        text.reserveCapacity(digits.count + 3)
        if isNegative, digits.contains(where: { $0 != 48 }) { text.append(UInt8(ascii: "-")) }
        if integerCount <= 0 { text.append(48) }
        text += digits[first..<max(first, integerCount)]
        if integerCount < digits.count {
            text.append(UInt8(ascii: "."))
            text += digits[max(0, integerCount)...]
        }
        self.text = String(decoding: text, as: UTF8.self)
    }
}

/// The positions of a number's parts in its text.
struct DecimalParts {
    let isNegative: Bool
    /// The digits, including the point.
    let digits: Range<Int>
    let integerCount: Int
    let digitCount: Int
    let exponent: Int

    /// - Returns: nil if the text is not a number.
    init?(_ bytes: Span<UInt8>) {
        var position = 0
        func skipDigits() -> Int {
            let start = position
            while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
            return position - start
        }
        isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        let start = position
        integerCount = skipDigits()
        var fractionCount = 0
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            fractionCount = skipDigits()
            guard fractionCount > 0 else { return nil }
        }
        guard integerCount > 0 else { return nil }
        digits = start..<position
        digitCount = integerCount + fractionCount
        var exponent = 0
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let isBelow = position < bytes.count && bytes[position] == UInt8(ascii: "-")
            if isBelow || position < bytes.count && bytes[position] == UInt8(ascii: "+") { position += 1 }
            let first = position
            guard skipDigits() > 0 else { return nil }
            for index in first..<position { exponent = min(exponent * 10 + Int(bytes[index]) - 48, 1_000_000) }
            if isBelow { exponent = -exponent }
        }
        guard position == bytes.count else { return nil }
        self.exponent = exponent
    }
}
