internal import Synchronization

/// A number that goes up and down. Measuring never blocks.
public final class Gauge: Series {
    static let kind = SeriesKind.gauge
    private let bits = Atomic<UInt64>(0)

    /// Sets the number.
    public func set(_ number: Double) {
        bits.store(number.bitPattern, ordering: .relaxed)
    }

    /// Adds to the number, or subtracts from it.
    public func add(_ amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: known) + amount
            let (isDone, found) = bits.weakCompareExchange(
                expected: known, desired: sum.bitPattern, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }

    var value: MetricReading.Value { .gauge(Double(bitPattern: bits.load(ordering: .relaxed))) }
}
