internal import Synchronization

/// Everything that one server counts and measures, and the page of it for Prometheus.
///
/// Passed to everything that measures, and never global: a process may run several servers.
public final class MetricRegistry: Sendable {
    private let families = Mutex<[String: Family]>([:])

    /// Creates an empty registry.
    public init() {}

    /// Returns the page, in the text format 0.0.4: families by name, and their series by labels.
    /// - Parameters:
    ///   - measured: families that are measured for this page, with names other than the registered ones.
    ///   - help: a sentence about each family, by its name.
    public func page(with measured: [MeasuredFamily] = [], help: [String: String] = [:]) -> [UInt8] {
        var text = TextFormat()
        let families = families.withLock { $0 }
        var rest = measured.sorted { $0.name < $1.name }[...]
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            while let next = rest.first, next.name < name { rest.removeFirst().write(help: help, to: &text) }
            text.family(name, family.kind, help: help[name])
            for (labels, kept) in family.series.sorted(by: { $0.key < $1.key }) {
                text.series(name, labels, kept.series.value)
            }
        }
        for family in rest { family.write(help: help, to: &text) }
        return text.bytes
    }

    /// Returns the values of all series, in no particular order; each is read separately, while others measure.
    public func readings() -> [MetricReading] {
        families.withLock { $0 }.flatMap { readings(of: $0.key, $0.value) }
    }

    /// Returns the values of a family's series.
    public func readings(of family: String) -> [MetricReading] {
        families.withLock { $0[family] }.map { readings(of: family, $0) } ?? []
    }

    private func readings(of name: String, _ family: Family) -> [MetricReading] {
        family.series.values.map { MetricReading(name: name, labels: $0.labels, value: $0.series.value) }
    }

    /// Returns the counter with that name and those labels.
    public func counter(_ name: String, _ labels: [(String, String)] = []) -> Counter {
        series(name, labels) { Counter() }
    }

    /// Returns the gauge with that name and those labels.
    public func gauge(_ name: String, _ labels: [(String, String)] = []) -> Gauge {
        series(name, labels) { Gauge() }
    }

    /// Returns the durations with that name and those labels, on the page a histogram in seconds.
    public func durations(_ name: String, _ labels: [(String, String)] = []) -> Durations {
        series(name, labels) { Durations() }
    }

    /// Returns the series with that name and those labels, created if it doesn't exist yet. If the name is that of
    /// another kind, the series isn't on the page: a family has one type.
    private func series<Made: Series>(_ name: String, _ labels: [(String, String)], _ make: () -> Made) -> Made {
        let name = TextFormat.name(name)
        let text = TextFormat.labels(labels)
        return families.withLock { families in
            let family = families[name] ?? Family(kind: Made.kind)
            guard family.kind == Made.kind else { return make() }
            if let known = family.series[text]?.series as? Made { return known }
            let made = make()
            let kept = Kept(series: made, labels: Dictionary(labels) { $1 })
            families[name, default: family].series[text] = kept
            return made
        }
    }
}

/// The series of one name.
private struct Family {
    let kind: SeriesKind
    /// The series, by the text of their labels.
    var series: [String: Kept] = [:]
}

/// A series with its labels.
private struct Kept {
    let series: any Series
    let labels: [String: String]
}
