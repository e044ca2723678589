public import Scalars

/// A condition on rows in the language of `$filter`, whose inserted values are literals whatever they hold:
/// `"year eq \(year) and title ne \(title)"`.
public struct RowFilter: Sendable, ExpressibleByStringInterpolation {
    /// The condition as `$filter` has it.
    public let text: String

    /// A condition without values.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// A condition with values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Writes each value as the literal of its type.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// A part of the condition itself.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Text, quoted.
        public mutating func appendInterpolation(_ value: String) {
            text += "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }

        /// A whole number.
        public mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }

        /// A double; one that is no number becomes null, which equals nothing.
        public mutating func appendInterpolation(_ value: Double) { text += value.isFinite ? "\(value)" : "null" }

        /// True or false.
        public mutating func appendInterpolation(_ value: Bool) { text += value ? "true" : "false" }

        /// A date.
        public mutating func appendInterpolation(_ value: Instant) { text += "datetimeoffset'\(value.wireText)'" }
    }
}
