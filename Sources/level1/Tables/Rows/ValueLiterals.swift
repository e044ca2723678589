public import Scalars

// Values as code writes and reads them.

extension Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }
    /// A double.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension Value {
    /// The text; nil if the value is something else.
    public var textValue: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// Whether it is true; nil if the value is not a boolean.
    public var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The whole number, even if a column of doubles holds it; nil if the value is not a whole number.
    public var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .decimal(let decimal): decimal.whole
        default: nil
        }
    }

    /// The number as a double; nil if the value is not a number.
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .decimal(let decimal): decimal.double
        default: nil
        }
    }

    /// The instant; nil if the value is not a date.
    public var dateValue: Instant? {
        if case .date(let instant) = self { instant } else { nil }
    }
}
