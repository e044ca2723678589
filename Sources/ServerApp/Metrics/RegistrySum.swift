import MetricSeries

extension MetricRegistry {
    /// The sum of all series of a family; nil if there are none.
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
