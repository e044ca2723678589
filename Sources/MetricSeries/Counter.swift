internal import Synchronization

/// A number that only grows. Whoever counts waits for nobody.
public final class Counter: Series {
    static let kind = SeriesKind.counter
    private let count = Atomic<Int>(0)

    /// Counts so many more.
    public func increment(by amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    var value: MetricReading.Value { .counter(count.load(ordering: .relaxed)) }
}
