import ZumodServer

/// A line for somebody on call: `a job failed (detail: "…", job: "nightly")`; nil for events that can wait.
public func alarm(for event: LogEvent) -> String? {
    guard event.level >= .error else { return nil }
    // With their escapes, as clients may have sent what stands there.
    let members = event.members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.debugDescription)" }
    return "\(event.message) (\(members.joined(separator: ", ")))"
}

/// The counts in the form of a metrics system, here that of StatsD: `zumod_requests_total.GET.tables.200:17|g`.
public func report(_ readings: [MetricReading]) -> [String] {
    readings.flatMap { reading in
        let labels = reading.labels.sorted { $0.key < $1.key }.map(\.value)
        let name = ([reading.name] + labels).joined(separator: ".")
        switch reading.value {
        case .counter(let count): return ["\(name):\(count)|g"]
        case .gauge(let number): return ["\(name):\(number)|g"]
        case .durations(let counts, let seconds):
            return ["\(name).count:\(counts.last?.count ?? 0)|g", "\(name).sum:\(seconds)|g"]
        }
    }.sorted()
}
