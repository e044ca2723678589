/// The current value of one series.
public struct MetricReading: Sendable {
    /// That of the family.
    public let name: String
    /// What distinguishes the series from others of its family.
    public let labels: [String: String]
    /// Its value.
    public let value: Value

    /// The number of a series, or its numbers.
    public enum Value: Sendable {
        /// A number that only grows while the server runs.
        case counter(Int)
        /// A number that goes up and down.
        case gauge(Double)
        /// How many durations were at most as long as each bound, in seconds, the last bound being infinite; and their
        /// sum.
        case durations([(bound: Double, count: Int)], seconds: Double)
    }
}

/// The types that families have on the page.
enum SeriesKind: String {
    case counter, gauge, histogram
}

/// What counts or measures under one name and some labels.
protocol Series: AnyObject, Sendable {
    static var kind: SeriesKind { get }
    /// Its value.
    var value: MetricReading.Value { get }
}
