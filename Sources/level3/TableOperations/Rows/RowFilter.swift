public import Scalars

/// A condition on rows in the language of `$filter`, whose interpolated values always become literals:
/// `"year eq \(year) and title ne \(title)"`.
public struct RowFilter: Sendable, ExpressibleByStringInterpolation {
    /// The condition, as in `$filter`.
    public let text: String

    /// Creates a condition without values.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Creates a condition with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Writes each value as the literal of its type.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Reserves capacity.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends part of the condition itself.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends text, quoted.
        public mutating func appendInterpolation(_ value: String) {
            text += "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }

        /// Appends a whole number.
        public mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }

        /// Appends a double; one that isn't finite becomes null, which equals nothing.
        public mutating func appendInterpolation(_ value: Double) { text += value.isFinite ? "\(value)" : "null" }

        /// Appends a Boolean.
        public mutating func appendInterpolation(_ value: Bool) { text += value ? "true" : "false" }

        /// Appends a date.
        public mutating func appendInterpolation(_ value: Instant) { text += "datetimeoffset'\(value.wireText)'" }
    }
}
