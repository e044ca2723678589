public import CoreMetrics
internal import Synchronization

/// What one server counts and measures, and the page of it that Prometheus reads.
///
/// A factory to be handed to whoever measures, not to be made the system's: a process may run several servers, and the
/// program around them may have metrics of its own.
public final class PrometheusRegistry: MetricsFactory {
    private let families = Mutex<[String: Family]>([:])
    private let help: [String: String]

    /// - Parameter help: a sentence about each family, by its name.
    public init(help: [String: String] = [:]) {
        self.help = help
    }

    /// The page, in the text format 0.0.4: families by name, and their series by labels.
    /// - Parameter measured: families that are measured for this page, of other names than those that are kept.
    public func page(with measured: [MeasuredFamily] = []) -> [UInt8] {
        var text = TextFormat()
        let families = families.withLock { $0 }
        var rest = measured.sorted { $0.name < $1.name }[...]
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            while let next = rest.first, next.name < name { rest.removeFirst().write(help: help, to: &text) }
            text.family(name, family.kind, help: help[name])
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.write(name, labels, to: &text)
            }
        }
        for family in rest { family.write(help: help, to: &text) }
        return text.bytes
    }

    /// What the series of a family have come to, with their labels as they are written on the page.
    public func readings(of family: String) -> [(labels: String, reading: SeriesReading)] {
        let series = families.withLock { $0[family]?.series ?? [:] }
        return series.map { ($0.key, $0.value.reading) }
    }

    /// A number that only grows; of one label and the same dimensions there is one.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    /// A number that goes up and down. What is recorded to be aggregated keeps its last value too: nothing here asks for
    /// a distribution but timers.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    /// A histogram in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) { DurationSeries() }
    }

    /// Takes the series off the page.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// The series of that name and those labels, made where there is none yet. Where the name is that of another kind,
    /// the series is on no page: a family has one type.
    private func series<Kept: Series>(
        _ label: String, _ dimensions: [(String, String)], _ make: () -> Kept
    ) -> Kept {
        let name = TextFormat.name(label)
        let labels = TextFormat.labels(dimensions)
        return families.withLock { families in
            let family = families[name] ?? Family(kind: Kept.kind)
            guard family.kind == Kept.kind else { return make() }
            if let known = family.series[labels] as? Kept { return known }
            let made = make()
            families[name, default: family].series[labels] = made
            return made
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                families[name]?.series = family.series.filter { $0.value !== handler }
                if families[name]?.series.isEmpty == true { families[name] = nil }
            }
        }
    }
}

/// The series of one name.
private struct Family {
    let kind: SeriesKind
    /// By their labels as they are written.
    var series: [String: any Series] = [:]
}
