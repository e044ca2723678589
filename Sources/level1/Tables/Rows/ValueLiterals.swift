public import Scalars

// Literals and accessors for values in code.

extension Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Creates a whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }
    /// Creates a double.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}

extension Value {
    /// The text; nil if the value is something else.
    public var textValue: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The boolean; nil if the value is not a boolean.
    public var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The whole number, even if it is stored as a double; nil if the value is not a whole number.
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
