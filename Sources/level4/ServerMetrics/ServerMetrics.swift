package import HTTPModel
package import MetricSeries
import Scalars
package import StoreMetrics
import Synchronization
package import Tables
package import ZumoProtocol

/// What of a configuration is among the metrics.
package struct MeasuredConfiguration: Sendable {
    /// The tables of the configuration. Others have names that clients gave them.
    let tables: [Identifier]
    /// Whether there can be others.
    let hasClientTables: Bool
    /// The most connections of clients.
    let connectionLimit: Int?

    /// Nothing, unless it is said.
    package init(tables: [Identifier] = [], hasClientTables: Bool = false, connectionLimit: Int? = nil) {
        self.tables = tables
        self.hasClientTables = hasClientTables
        self.connectionLimit = connectionLimit
    }
}

/// What one server measures of itself. Labels are from closed sets or names of the configuration, never from clients.
package struct ServerMetrics: Sendable {
    /// Where all is kept; others of the server measure with it too.
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
    /// When it began, in seconds since 1970.
    private let start: Double
    /// How often a configuration was read while the server ran, by the result.
    package let configurations: (taken: Counter, refused: Counter)
    private let accessFailures: [AccessFailure.Kind: Counter]
    private let measured: Measured
    private let noticesWaiting: @Sendable () -> [Identifier: Int]
    private let droppedLines: @Sendable () -> Int

    /// What is measured at present.
    private final class Measured: Sendable {
        let configuration: Mutex<MeasuredConfiguration>

        init(_ configuration: MeasuredConfiguration) {
            self.configuration = Mutex(configuration)
        }
    }

    /// How long the page waits for the database, however that does.
    package static let patience = Duration.milliseconds(500)

    /// - Parameters:
    ///   - version: the program's.
    ///   - registry: what others already measure with.
    ///   - store: tells how far stamps have come and how much is waiting; nil to leave that out.
    ///   - budget: tells how much bodies and answers take; nil to leave that out.
    ///   - configuration: the measured part of it.
    ///   - patience: how long the page waits for the database.
    ///   - noticesWaiting: how many notices of webhooks are waiting, by table.
    ///   - droppedLines: how many lines of the log nobody read.
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

    /// Measures when the certificate expires, from now on: a second since 1970.
    package func measure(certificateEnd second: Int64) {
        registry.gauge("zumod_tls_certificate_expiry_timestamp_seconds").set(Double(second))
    }

    /// Measures another configuration from now on.
    package func measure(_ configuration: MeasuredConfiguration) {
        measured.configuration.withLock { $0 = configuration }
    }

    /// Counts somebody who could not prove who they are.
    package func count(_ failure: AccessFailure) {
        accessFailures[failure.kind]?.increment()
    }

    /// The page for Prometheus. It is written off the event loops, and once for everybody who asks at the same time.
    package func page() async -> [UInt8] {
        await writing.share { await write() }
    }

    /// Writes the page. The database is asked for what it alone knows, and hardly waited for.
    private func write() async -> [UInt8] {
        let configuration = measured.configuration.withLock { $0 }
        var families = process.families()
        families.append(MeasuredFamily("zumod_buffered_bytes", .gauge, Double(budget?.heldBytes ?? 0)))
        if let budget { families.append(MeasuredFamily("zumod_buffer_limit_bytes", .gauge, Double(budget.limit))) }
        if let connectionLimit = configuration.connectionLimit {
            families.append(MeasuredFamily("zumod_connections_limit", .gauge, Double(connectionLimit)))
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

    /// What waits and works in the store; nil if there is none.
    package var load: StoreLoad? { store?.load }

    /// Memory that the process has in use.
    package var residentBytes: Double? { process.residentBytes }

    /// Seconds since the server started.
    package var uptime: Double { max(0, clock().seconds - start) }

    /// How many seconds the last stamp of each table is ahead of the clock.
    /// - Returns: nil if the database did not report them in time.
    package func drifts() async -> [Identifier: Double]? {
        guard let stamps = await look?.stamps() else { return nil }
        let now = clock()
        return stamps.mapValues { $0.seconds(after: now) }
    }

    /// What waits and works in the store.
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

    /// - Parameter drifts: nil if the database did not report them in time.
    private func driftFamilies(
        _ drifts: [Identifier: Double]?, of configuration: MeasuredConfiguration
    ) -> [MeasuredFamily] {
        let none = drifts == nil ? Double.nan : 0
        // A table at rest is behind the clock by its age, which says nothing about the clock.
        let values = Dictionary(configuration.tables.map { ($0, none) }, uniquingKeysWith: { first, _ in first })
            .merging(drifts ?? [:]) { $1 }
        return [
            MeasuredFamily("zumod_database_reachable", .gauge, drifts == nil ? 0 : 1),
            family("zumod_stamp_drift_seconds", values, of: configuration, others: none, joinedBy: max),
        ]
    }

    /// A family with a number for each table of the configuration, and one for all others.
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
    /// Since 1970.
    fileprivate var seconds: Double { Double(milliseconds) / 1_000 }

    /// How far the instant is ahead of another; 0 if it isn't. As a double, because a database may contain any number.
    fileprivate func seconds(after other: Instant) -> Double {
        max(0, (Double(milliseconds) - Double(other.milliseconds)) / 1_000)
    }
}
