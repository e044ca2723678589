/// What one series has come to.
public struct MetricReading: Sendable {
    /// That of the family.
    public let name: String
    /// What tells the series from others of its family.
    public let labels: [String: String]
    /// What it has come to.
    public let value: Value

    /// The number of a series, or its numbers.
    public enum Value: Sendable {
        /// A number that only grows while the server runs.
        case counter(Int)
        /// A number that goes up and down.
        case gauge(Double)
        /// How many durations were as long as a bound at most, in seconds, the last bound being infinite; and how long all
        /// were together.
        case durations([(bound: Double, count: Int)], seconds: Double)
    }
}
