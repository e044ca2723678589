import DataPage
import MetricSeries
import ServerMetrics
import StoreMetrics

extension HealthReading {
    /// Takes a reading for the data page.
    init(of metrics: ServerMetrics) async {
        self.init()
        let registry = metrics.registry
        uptime = metrics.uptime
        for series in registry.readings(of: "zumod_requests_total") {
            guard case .counter(let count) = series.value,
                let digit = series.labels["status"]?.first.flatMap({ Int(String($0)) })
            else { continue }
            requests[digit, default: 0] += Double(count)
        }
        for series in registry.readings(of: "zumod_request_duration_seconds") {
            guard case .durations(let counts, _) = series.value else { continue }
            if latency.isEmpty { latency = counts.map { ($0.bound, 0) } }
            for index in counts.indices { latency[index].count += Double(counts[index].count) }
        }
        commits = registry.sum(of: "zumod_commits_total")
        connections = registry.sum(of: "zumod_connections_open")
        residentBytes = metrics.residentBytes
        guard let load = metrics.load else { return }
        if let limit = load.connectionLimit {
            let busy = load.connections.filter { $0.0 != "idle" }.reduce(0) { $0 + $1.1 }
            pool = (Double(limit), Double(busy), Double(load.connectionWaiters ?? 0))
        }
        let drifts = await metrics.drifts()
        drift = drifts?.values.max()
        if drifts == nil { outage = "The database doesn't answer." }
    }
}

extension MetricRegistry {
    /// Returns the sum of all series of a family; nil if there are none.
    fileprivate func sum(of family: String) -> Double? {
        readings(of: family).reduce(nil) { sum, series in
            switch series.value {
            case .counter(let count): (sum ?? 0) + Double(count)
            case .gauge(let number): (sum ?? 0) + number
            case .durations: sum
            }
        }
    }
}
