package import HTTPModel
package import MetricSeries
import Scalars
package import StoreMetrics
import Synchronization
package import Tables
package import ZumoProtocol

/// The part of a configuration that appears in the metrics.
package struct MeasuredConfiguration: Sendable {
    /// The tables in the configuration. Others have names that clients chose.
    let tables: [Identifier]
    /// Whether there can be other tables.
    let hasClientTables: Bool
    /// The maximum number of client connections.
    let connectionLimit: Int?
    /// Returns the number of workers of scripts that take calls; nil if there are no scripts.
    let scriptWorkers: (@Sendable () -> Int)?

    /// Creates an empty configuration by default.
    package init(
        tables: [Identifier] = [], hasClientTables: Bool = false, connectionLimit: Int? = nil,
        scriptWorkers: (@Sendable () -> Int)? = nil
    ) {
        self.scriptWorkers = scriptWorkers
        self.tables = tables
        self.hasClientTables = hasClientTables
        self.connectionLimit = connectionLimit
    }
}

/// The metrics of a server. Labels come from closed sets or from names in the configuration, never from clients.
package struct ServerMetrics: Sendable {
    /// The registry of all metrics, which other parts of the server also use.
    package let registry: MetricRegistry
    /// Counts requests.
    package let requests: RequestMetrics
    /// Counts rows in the background; nil if nothing should be counted.
    package let census: RowCounter?
    private let store: (any StampStore & MeasuredStore)?
    private let look: DatabaseProbe?
    private let budget: ByteBudget?
    private let process = ProcessReadings()
    private let writing = SingleFlight<[UInt8]>()
    private let clock: Clock
    /// When the server started, in seconds since 1970.
    private let start: Double
    /// How often a configuration was reloaded, by result.
    package let configurations: (taken: Counter, refused: Counter)
    private let accessFailures: [AccessFailure.Kind: Counter]
    private let measured: Measured
    private let noticesWaiting: @Sendable () -> [Identifier: Int]
    private let droppedLines: @Sendable () -> Int

    /// The currently measured configuration.
    private final class Measured: Sendable {
        let configuration: Mutex<MeasuredConfiguration>

        init(_ configuration: MeasuredConfiguration) {
            self.configuration = Mutex(configuration)
        }
    }

    /// How long the page waits for the database.
    package static let patience = Duration.milliseconds(500)

    /// - Parameters:
    ///   - version: the program's version.
    ///   - registry: the registry that other parts already use.
    ///   - store: provides stamps and the length of queues; nil to leave these out.
    ///   - budget: provides the memory held by bodies and answers; nil to leave it out.
    ///   - configuration: the measured part of the configuration.
    ///   - patience: how long the page waits for the database.
    ///   - noticesWaiting: returns the number of waiting webhook notices by table.
    ///   - droppedLines: returns the number of dropped log lines.
    package init(
        version: String, registry: MetricRegistry = MetricRegistry(), _ store: (any StampStore & MeasuredStore)? = nil,
        _ budget: ByteBudget? = nil, measuring configuration: MeasuredConfiguration = MeasuredConfiguration(),
        patience: Duration = patience, clock: @escaping Clock = SystemClock.now,
        noticesWaiting: @escaping @Sendable () -> [Identifier: Int] = { [:] },
        droppedLines: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.registry = registry
        self.store = store
        look = store.map { store in
            DatabaseProbe(patience: patience) { () async throws(TableError) in try await store.lastStamps() }
        }
        census = store.map { RowCounter($0, clock: clock) }
        self.budget = budget
        self.clock = clock
        measured = Measured(configuration)
        self.noticesWaiting = noticesWaiting
        self.droppedLines = droppedLines
        requests = RequestMetrics(registry)
        accessFailures = Dictionary(
            uniqueKeysWithValues: AccessFailure.Kind.allCases.map { kind in
                (kind, registry.counter("zumod_access_failures_total", [("kind", kind.rawValue)]))
            })
        func loads(_ outcome: String) -> Counter {
            registry.counter("zumod_configuration_loads_total", [("outcome", outcome)])
        }
        configurations = (loads("taken"), loads("refused"))
        registry.gauge("zumod_build_info", [("version", version)]).set(1)
        start = clock().seconds
        registry.gauge("process_start_time_seconds").set(start)
    }

    /// Sets the expiry date of the certificate, in seconds since 1970.
    package func measure(certificateEnd second: Int64) {
        registry.gauge("zumod_tls_certificate_expiry_timestamp_seconds").set(Double(second))
    }

    /// Changes the measured configuration.
    package func measure(_ configuration: MeasuredConfiguration) {
        measured.configuration.withLock { $0 = configuration }
    }

    /// Counts a failed attempt to prove an identity.
    package func count(_ failure: AccessFailure) {
        accessFailures[failure.kind]?.increment()
    }

    /// Returns the page for Prometheus. It is written off the event loops, and once for all requests at the same time.
    package func page() async -> [UInt8] {
        await writing.share { await write() }
    }

    /// Writes the page. The database is queried for what it alone knows, with a short wait.
    private func write() async -> [UInt8] {
        let configuration = measured.configuration.withLock { $0 }
        var families = process.families()
        families.append(MeasuredFamily("zumod_buffered_bytes", .gauge, Double(budget?.heldBytes ?? 0)))
        if let budget { families.append(MeasuredFamily("zumod_buffer_limit_bytes", .gauge, Double(budget.limit))) }
        if let connectionLimit = configuration.connectionLimit {
            families.append(MeasuredFamily("zumod_connections_limit", .gauge, Double(connectionLimit)))
        }
        if let workers = configuration.scriptWorkers?() {
            families.append(MeasuredFamily("zumod_script_workers", .gauge, Double(workers)))
        }
        families.append(MeasuredFamily("zumod_log_lines_dropped_total", .counter, Double(droppedLines())))
        families.append(
            family("zumod_webhook_notices_waiting", noticesWaiting().mapValues(Double.init), of: configuration) {
                $0 + $1
            })
        if let store { families += Self.families(of: store.load) }
        if let census { families += rowFamilies(census.last, of: configuration) }
        if look != nil { families += driftFamilies(await drifts(), of: configuration) }
        return registry.page(with: families, help: MetricsHelp.texts)
    }

    /// The waiting and running work of the store; nil without a store.
    package var load: StoreLoad? { store?.load }

    /// The memory in use by the process, in bytes.
    package var residentBytes: Double? { process.residentBytes }

    /// The time since the server started, in seconds.
    package var uptime: Double { max(0, clock().seconds - start) }

    /// Returns by how many seconds the last stamp of each table is ahead of the clock.
    /// - Returns: nil if the database did not report the stamps in time.
    package func drifts() async -> [Identifier: Double]? {
        guard let stamps = await look?.stamps() else { return nil }
        let now = clock()
        return stamps.mapValues { $0.seconds(after: now) }
    }

    /// Returns the waiting and running work of the store.
    private static func families(of load: StoreLoad) -> [MeasuredFamily] {
        var queues = MeasuredFamily("zumod_queue_length", .gauge)
        for (queue, count) in load.waiting { queues.add([("queue", queue.name)], Double(count)) }
        var connections = MeasuredFamily("zumod_database_connections", .gauge)
        for (state, count) in load.connections { connections.add([("state", state)], Double(count)) }
        var families = [
            queues, connections, MeasuredFamily("zumod_lists_running", .gauge, Double(load.runningLists)),
        ]
        if let limit = load.connectionLimit {
            families.append(MeasuredFamily("zumod_database_connections_limit", .gauge, Double(limit)))
        }
        if let waiters = load.connectionWaiters {
            families.append(MeasuredFamily("zumod_database_connection_waiters", .gauge, Double(waiters)))
        }
        if let failed = load.failedConnections {
            families.append(MeasuredFamily("zumod_database_connections_failed_total", .counter, Double(failed)))
        }
        return families
    }

    private func rowFamilies(
        _ counts: [Identifier: RowCount], of configuration: MeasuredConfiguration
    ) -> [MeasuredFamily] {
        [
            family("zumod_table_rows", counts.mapValues { Double($0.rows) }, of: configuration) { $0 + $1 },
            family(
                "zumod_table_tombstones", counts.compactMapValues { $0.tombstones.map(Double.init) }, of: configuration
            ) { $0 + $1 },
        ]
    }

    /// - Parameter drifts: nil if the database did not report stamps in time.
    private func driftFamilies(
        _ drifts: [Identifier: Double]?, of configuration: MeasuredConfiguration
    ) -> [MeasuredFamily] {
        let none = drifts == nil ? Double.nan : 0
        // The last stamp of an idle table is in the past, which says nothing about the clock.
        let values = Dictionary(configuration.tables.map { ($0, none) }, uniquingKeysWith: { first, _ in first })
            .merging(drifts ?? [:]) { $1 }
        return [
            MeasuredFamily("zumod_database_reachable", .gauge, drifts == nil ? 0 : 1),
            family("zumod_stamp_drift_seconds", values, of: configuration, others: none, joinedBy: max),
        ]
    }

    /// Returns a family with a number for each table of the configuration, and one for all others.
    private func family(
        _ name: String, _ values: [Identifier: Double], of configuration: MeasuredConfiguration,
        others none: Double? = nil,
        joinedBy join: (Double, Double) -> Double
    ) -> MeasuredFamily {
        var family = MeasuredFamily(name, .gauge)
        var values = values
        for table in configuration.tables {
            if let value = values.removeValue(forKey: table) { family.add([("table", table.text)], value) }
        }
        let rest = values.values.reduce(nil) { sum, value in sum.map { join($0, value) } ?? value } ?? none
        if configuration.hasClientTables, let rest { family.add([("table", "(others)")], rest) }
        return family
    }
}

extension Instant {
    /// The seconds since 1970.
    fileprivate var seconds: Double { Double(milliseconds) / 1_000 }

    /// Returns how far the instant is after another; 0 if it isn't. A double, as a database may contain any number.
    fileprivate func seconds(after other: Instant) -> Double {
        max(0, (Double(milliseconds) - Double(other.milliseconds)) / 1_000)
    }
}
