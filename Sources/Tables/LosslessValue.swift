import OData

extension ColumnType {
    /// A value of another kind as one of the column's, as v1 and v2 have always taken it: a number for text, the text of
    /// a number for a number, and 0, 1, `true` and `false` in text for a boolean.
    /// - Returns: nil where there is nothing to convert, and where something of the value would be lost.
    public func lossless(_ value: Value) -> Value? {
        switch (self, value) {
        case (.string, .integer(let whole)): .text(String(whole))
        case (.string, .number(let number)): .text(number.shortestText)
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
    /// As few digits as tell the number; whole numbers without a fraction, as JSON has them.
    public var shortestText: String {
        if let whole = Int64(exactly: self), whole.magnitude < 1 << 62 { return String(whole) }
        return description
    }
}

extension DecimalNumber {
    /// A text that is a number as JSON writes it, and nothing else; one with more digits than are kept is none.
    fileprivate init?(json text: String) {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        // A zero in front would be lost.
        let isPadded = digits.first == 48 && digits.dropFirst().first.map { (48...57).contains($0) } == true
        guard !isPadded, let number = DecimalNumber(text), !number.isTooLong else { return nil }
        self = number
    }

    /// The double that shows the same digits; nil where it shows others.
    fileprivate var sameDouble: Double? {
        let number = double
        return DecimalNumber(number)?.significantText == significantText ? number : nil
    }

    /// Without zeros at the end of a fraction.
    private var significantText: Substring {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text[...] }
        var digits = text[...]
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits
    }
}
