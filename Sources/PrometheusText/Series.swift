internal import CoreMetrics
internal import Synchronization

/// The types that families have on the page.
enum SeriesKind: String {
    case counter, gauge, histogram
}

/// One line of the page, or the lines of one histogram. Whoever measures writes to it without waiting for others.
protocol Series: AnyObject, Sendable {
    static var kind: SeriesKind { get }
    func write(_ name: String, _ labels: String, to text: inout TextFormat)
    /// What it has come to.
    var reading: SeriesReading { get }
}

/// What a series has come to.
public enum SeriesReading: Sendable {
    /// A counter or a gauge.
    case number(Double)
    /// How many durations were as long as a bound at most, in seconds; the last bound is infinite.
    case durations([(bound: Double, count: Double)])
}

/// A number that only grows.
final class CounterSeries: Series, CounterHandler {
    static let kind = SeriesKind.counter
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: String, to text: inout TextFormat) {
        text.sample(name, labels, String(count.load(ordering: .relaxed)))
    }

    var reading: SeriesReading { .number(Double(count.load(ordering: .relaxed))) }
}

/// A number that goes up and down.
final class GaugeSeries: Series, RecorderHandler {
    static let kind = SeriesKind.gauge
    private let bits = Atomic<UInt64>(0)

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: String, to text: inout TextFormat) {
        text.sample(name, labels, TextFormat.number(Double(bitPattern: bits.load(ordering: .relaxed))))
    }

    var reading: SeriesReading { .number(Double(bitPattern: bits.load(ordering: .relaxed))) }
}

/// Durations by size.
final class DurationSeries: Series, TimerHandler {
    static let kind = SeriesKind.histogram

    /// The upper bounds of the buckets but the last, in seconds: a row found takes about the first, and at the last most
    /// clients have given up.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let nanoseconds = bounds.map { Int64(($0 * 1e9).rounded()) }
    private static let boundTexts = bounds.map(TextFormat.number) + ["+Inf"]

    private let buckets = InlineArray<17, Atomic<Int64>> { _ in Atomic(0) }
    /// In nanoseconds.
    private let sum = Atomic<Int64>(0)

    func recordNanoseconds(_ duration: Int64) {
        let bounds = Self.nanoseconds
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        buckets[index].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(duration, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: String, to text: inout TextFormat) {
        var count: Int64 = 0
        for (index, bound) in Self.boundTexts.enumerated() {
            count += buckets[index].load(ordering: .relaxed)
            let bucket = labels.isEmpty ? "le=\"\(bound)\"" : "\(labels),le=\"\(bound)\""
            text.sample("\(name)_bucket", bucket, String(count))
        }
        text.sample("\(name)_sum", labels, TextFormat.number(Double(sum.load(ordering: .relaxed)) / 1e9))
        // The same number as in the last bucket, though others measure meanwhile.
        text.sample("\(name)_count", labels, String(count))
    }

    var reading: SeriesReading {
        var count: Int64 = 0
        var durations: [(bound: Double, count: Double)] = []
        for (index, bound) in (Self.bounds + [.infinity]).enumerated() {
            count += buckets[index].load(ordering: .relaxed)
            durations.append((bound, Double(count)))
        }
        return .durations(durations)
    }
}
