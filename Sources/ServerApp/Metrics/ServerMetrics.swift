import CoreMetrics
import HTTPModel
import OData
import PrometheusText
import Tables

/// What one server measures of itself. Labels are from closed sets or names of the configuration, never from clients.
struct ServerMetrics: Sendable {
    /// Where all is kept; others of the server measure with it too.
    let registry = PrometheusRegistry(help: help)
    let requests: RequestMetrics
    let accessFailures: AccessFailureMetrics
    private let store: (any StampStore)?
    private let budget: ByteBudget?
    private let buffered: Gauge
    private let clock: Clock
    private let drifts: [Identifier: Gauge]
    private let clientTablesDrift: Gauge?
    private let reachable: Gauge

    private static let help = [
        "process_start_time_seconds": "When the server started, in seconds since 1970.",
        "zumod_access_failures_total": "Passwords, keys and providers' tokens that were wrong.",
        "zumod_build_info": "The version that runs; always 1.",
        "zumod_buffered_bytes": "What bodies and answers take of limits.bufferBytes.",
        "zumod_connections_open": "Connections that are open, those that are being refused included.",
        "zumod_connections_refused_total":
            "Connections that were refused since there were too many, altogether or of their address.",
        "zumod_database_reachable": "Whether the database answered when this page was asked for.",
        "zumod_request_duration_seconds": "How long requests took, from the last byte read to the answer made.",
        "zumod_requests_total": "Requests that were answered.",
        "zumod_stamp_drift_seconds": "How far a table's last stamp is ahead of the server's clock; 0 where it isn't.",
    ]

    /// - Parameters:
    ///   - store: tells how far stamps have come; nil where nothing is to be told.
    ///   - budget: tells how much bodies and answers take; nil where nothing is to be told.
    ///   - tables: the tables of the configuration. Others have names that clients gave them.
    ///   - hasClientTables: whether there can be others.
    init(
        _ store: (any StampStore)? = nil, _ budget: ByteBudget? = nil, tables: [Identifier] = [],
        hasClientTables: Bool = false,
        clock: @escaping Clock = SystemClock.now
    ) {
        self.store = store
        self.budget = budget
        self.clock = clock
        requests = RequestMetrics(registry)
        accessFailures = AccessFailureMetrics(registry)
        let registry = registry
        buffered = Gauge(label: "zumod_buffered_bytes", factory: registry)
        func drift(_ table: String) -> Gauge {
            Gauge(label: "zumod_stamp_drift_seconds", dimensions: [("table", table)], factory: registry)
        }
        drifts = Dictionary(tables.map { ($0, drift($0.text)) }, uniquingKeysWith: { first, _ in first })
        clientTablesDrift = hasClientTables ? drift("(others)") : nil
        reachable = Gauge(label: "zumod_database_reachable", factory: registry)
        Gauge(label: "zumod_build_info", dimensions: [("version", Release.version)], factory: registry).record(1)
        Gauge(label: "process_start_time_seconds", factory: registry).record(Double(clock().milliseconds) / 1_000)
    }

    /// The page for Prometheus, with what is only known by asking the database.
    func page() async -> [UInt8] {
        buffered.record(budget?.heldBytes ?? 0)
        do throws(TableError) {
            let stamps = try await store?.lastStamps() ?? [:]
            record(stamps)
            reachable.record(1)
        } catch {
            reachable.record(0)
            for gauge in drifts.values { gauge.record(Double.nan) }
            clientTablesDrift?.record(Double.nan)
        }
        return registry.page()
    }

    private func record(_ stamps: [Identifier: Instant]) {
        let now = clock()
        // A table at rest is behind the clock by its age, which says nothing about the clock.
        func drift(_ stamp: Instant) -> Double { max(0, Double(stamp.milliseconds - now.milliseconds) / 1_000) }
        for (name, gauge) in drifts { gauge.record(stamps[name].map(drift) ?? 0) }
        clientTablesDrift?.record(stamps.filter { drifts[$0.key] == nil }.values.map(drift).max() ?? 0)
    }
}
