internal import Synchronization

/// A histogram of durations. Measuring never blocks.
public final class Durations: Series {
    static let kind = SeriesKind.histogram

    /// The upper bounds of all buckets except the last, in seconds: finding a row takes about the first, and by the
    /// last most clients have given up.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let nanoseconds = bounds.map { Int64(($0 * 1e9).rounded()) }

    private let buckets = InlineArray<17, Atomic<Int>> { _ in Atomic(0) }
    /// In nanoseconds.
    private let sum = Atomic<Int64>(0)

    /// Records one duration.
    public func record(nanoseconds duration: Int64) {
        let bounds = Self.nanoseconds
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        buckets[index].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(duration, ordering: .relaxed)
    }

    var value: MetricReading.Value {
        var count = 0
        var counts: [(bound: Double, count: Int)] = []
        for (index, bound) in (Self.bounds + [.infinity]).enumerated() {
            count += buckets[index].load(ordering: .relaxed)
            counts.append((bound, count))
        }
        return .durations(counts, seconds: Double(sum.load(ordering: .relaxed)) / 1e9)
    }
}
