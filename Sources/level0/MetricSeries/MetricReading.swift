/// The current value of one series.
public struct MetricReading: Sendable {
    /// The name of the family.
    public let name: String
    /// What distinguishes the series from others of its family.
    public let labels: [String: String]
    /// The value.
    public let value: Value

    /// The value or values of a series.
    public enum Value: Sendable {
        /// A number that only grows while the server runs.
        case counter(Int)
        /// A number that goes up and down.
        case gauge(Double)
        /// How many durations were at most as long as each bound, in seconds, of which the last is infinite; and the
        /// sum of all durations.
        case durations([(bound: Double, count: Int)], seconds: Double)
    }
}

/// The types of families on the page.
enum SeriesKind: String {
    case counter, gauge, histogram
}

/// Something that counts or measures under one name and set of labels.
protocol Series: AnyObject, Sendable {
    static var kind: SeriesKind { get }
    /// The current value.
    var value: MetricReading.Value { get }
}
