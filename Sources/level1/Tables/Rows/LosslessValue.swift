import Scalars

extension ColumnType {
    /// Converts a value of another type to the column's, as v1 and v2 have always accepted it: a number for text, the
    /// text of a number for a number, and 0, 1, `true` and `false` in text for a boolean.
    /// - Returns: nil if there is nothing to convert, or if the conversion would lose information.
    public func lossless(_ value: Value) -> Value? {
        switch (self, value) {
        case (.string, .integer(let whole)): .text(String(whole))
        case (.string, .number(let number)): .text(number.shortestText)
        case (.string, .decimal(let decimal)) where decimal.isTooLong:
            // A query reads such a number as a double.
            decimal.writtenDouble.map { .text($0.shortestText) }
        case (.string, .decimal(let decimal)): .text(decimal.sameDouble?.shortestText ?? decimal.text)
        case (.boolean, .integer(0)), (.boolean, .text("false")): .boolean(false)
        case (.boolean, .integer(1)), (.boolean, .text("true")): .boolean(true)
        case (.integer, .text(let text)): DecimalNumber(json: text)?.whole.map(Value.integer)
        case (.number, .text(let text)): DecimalNumber(json: text)?.sameDouble.map(Value.number)
        case (.decimal, .text(let text)): DecimalNumber(json: text).map(Value.decimal)
        default: nil
        }
    }
}

extension Double {
    /// The fewest digits that identify the number; whole numbers have no fraction, as in JSON.
    public var shortestText: String {
        if let whole = Int64(exactly: self), whole.magnitude < 1 << 62 { return String(whole) }
        return description
    }
}

extension DecimalNumber {
    /// Parses text that is exactly a JSON number; numbers with more digits than can be kept are refused.
    fileprivate init?(json text: String) {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        // A leading zero would be lost.
        let isPadded = digits.first == 48 && digits.dropFirst().first.map { (48...57).contains($0) } == true
        guard !isPadded, let number = DecimalNumber(text), !number.isTooLong else { return nil }
        self = number
    }

    /// The double that shows the same digits; nil if there is none.
    fileprivate var sameDouble: Double? {
        let number = double
        return DecimalNumber(number)?.significantText == significantText ? number : nil
    }

    /// The same for a number with so many digits that it is kept as written.
    fileprivate var writtenDouble: Double? {
        let number = double
        guard let own = Significand(text), let shown = Significand(number.description) else { return nil }
        return own == shown ? number : nil
    }

    /// The text without trailing zeros of the fraction.
    private var significantText: Substring {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text[...] }
        var digits = text[...]
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits
    }
}

/// The digits of a number without leading and trailing zeros, and their power of ten.
private struct Significand: Equatable {
    private let digits: Substring
    private let exponent: Int

    /// - Returns: nil for zero, and if the exponent is out of bounds.
    init?(_ text: String) {
        let parts = text.lowercased().drop { $0 == "-" }.split(separator: "e", maxSplits: 1)
        guard let mantissa = parts.first, let power = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        let fraction = mantissa.split(separator: ".").dropFirst().first?.utf8.count ?? 0
        var digits = mantissa.filter { $0 != "." }[...].drop { $0 == "0" }
        let length = digits.utf8.count
        while digits.last == "0" { digits.removeLast() }
        guard !digits.isEmpty else { return nil }
        self.digits = digits
        let (exponent, isBeyond) = power.subtractingReportingOverflow(fraction - (length - digits.utf8.count))
        guard !isBeyond else { return nil }
        self.exponent = exponent
    }
}
