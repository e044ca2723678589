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
