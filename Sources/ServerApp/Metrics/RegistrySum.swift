import MetricSeries

extension MetricRegistry {
    /// What all series of a family have come to together; nil where there are none.
    func sum(of family: String) -> Double? {
        readings(of: family).reduce(nil) { sum, series in
            switch series.value {
            case .counter(let count): (sum ?? 0) + Double(count)
            case .gauge(let number): (sum ?? 0) + number
            case .durations: sum
            }
        }
    }
}
