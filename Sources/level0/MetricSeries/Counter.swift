internal import Synchronization

/// A number that only grows. Counting never blocks.
public final class Counter: Series {
    static let kind = SeriesKind.counter
    private let count = Atomic<Int>(0)

    /// Adds to the count.
    public func increment(by amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    var value: MetricReading.Value { .counter(count.load(ordering: .relaxed)) }
}
