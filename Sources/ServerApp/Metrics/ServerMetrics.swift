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
    private let drifts: DriftGauges
    /// How often a configuration was read while the server ran, by what came of it.
    let configurations: (taken: Counter, refused: Counter)
    private let reachable: Gauge

    private static let help = [
        "process_start_time_seconds": "When the server started, in seconds since 1970.",
        "zumod_access_failures_total": "Passwords, keys and providers' tokens that were wrong.",
        "zumod_build_info": "The version that runs; always 1.",
        "zumod_buffered_bytes": "What bodies and answers take of limits.bufferBytes.",
        "zumod_configuration_loads_total": "How often the configuration was read while the server ran.",
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
        drifts = DriftGauges(registry)
        drifts.measure(tables, hasClientTables: hasClientTables)
        func loads(_ outcome: String) -> Counter {
            Counter(label: "zumod_configuration_loads_total", dimensions: [("outcome", outcome)], factory: registry)
        }
        configurations = (loads("taken"), loads("refused"))
        reachable = Gauge(label: "zumod_database_reachable", factory: registry)
        Gauge(label: "zumod_build_info", dimensions: [("version", Release.version)], factory: registry).record(1)
        Gauge(label: "process_start_time_seconds", factory: registry).record(Double(clock().milliseconds) / 1_000)
    }

    /// Measures other tables from now on.
    func measure(_ tables: [Identifier], hasClientTables: Bool) {
        drifts.measure(tables, hasClientTables: hasClientTables)
    }

    /// The page for Prometheus, with what is only known by asking the database.
    func page() async -> [UInt8] {
        buffered.record(budget?.heldBytes ?? 0)
        do throws(TableError) {
            let stamps = try await store?.lastStamps() ?? [:]
            drifts.record(stamps, now: clock())
            reachable.record(1)
        } catch {
            reachable.record(0)
            drifts.recordNothing()
        }
        return registry.page()
    }
}
