import CoreMetrics
import OData
import PrometheusText
import Synchronization
import Tables

/// How far the tables' last stamps are ahead of the server's clock.
final class DriftGauges: Sendable {
    private struct State {
        var gauges: [Identifier: Gauge] = [:]
        var others: Gauge?
    }

    private let registry: PrometheusRegistry
    private let state = Mutex(State())

    init(_ registry: PrometheusRegistry) {
        self.registry = registry
    }

    /// Measures these tables and no others.
    /// - Parameter hasClientTables: whether there can be some that clients made.
    func measure(_ tables: [Identifier], hasClientTables: Bool) {
        state.withLock { state in
            let gone = state.gauges.filter { !tables.contains($0.key) }
            for (name, gauge) in gone {
                gauge.destroy()
                state.gauges[name] = nil
            }
            for name in tables where state.gauges[name] == nil { state.gauges[name] = gauge(name.text) }
            if hasClientTables, state.others == nil { state.others = gauge("(others)") }
            if !hasClientTables {
                state.others?.destroy()
                state.others = nil
            }
        }
    }

    func record(_ stamps: [Identifier: Instant], now: Instant) {
        // A table at rest is behind the clock by its age, which says nothing about the clock.
        func drift(_ stamp: Instant) -> Double { max(0, Double(stamp.milliseconds - now.milliseconds) / 1_000) }
        state.withLock { state in
            for (name, gauge) in state.gauges { gauge.record(stamps[name].map(drift) ?? 0) }
            state.others?.record(stamps.filter { state.gauges[$0.key] == nil }.values.map(drift).max() ?? 0)
        }
    }

    /// Where nobody can tell.
    func recordNothing() {
        state.withLock { state in
            for gauge in state.gauges.values { gauge.record(Double.nan) }
            state.others?.record(Double.nan)
        }
    }

    private func gauge(_ table: String) -> Gauge {
        Gauge(label: "zumod_stamp_drift_seconds", dimensions: [("table", table)], factory: registry)
    }
}
