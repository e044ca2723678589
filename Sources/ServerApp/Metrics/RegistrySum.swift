import PrometheusText

extension PrometheusRegistry {
    /// What all series of a family have come to together; nil where there are none.
    func sum(of family: String) -> Double? {
        readings(of: family).reduce(nil) { sum, series in
            guard case .number(let number) = series.reading else { return sum }
            return (sum ?? 0) + number
        }
    }
}
