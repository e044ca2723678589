package import HTTPModel
package import MetricSeries
import ServerConfiguration
package import ServerLogging
package import ServerMetrics
package import Tables
package import Webhooks

/// The parts of a server that don't depend on its configuration and outlive it. `ServerAssembly` puts a handler in
/// front of them: for a running server, each world of a test server, the servers of the test suite, and the one that
/// `check --attack` uses.
package struct ServerParts: Sendable {
    let database: Database
    let metrics: ServerMetrics
    package let webhooks: WebhookSender
    /// The limit for what all requests and answers hold together.
    let budget: ByteBudget
    let state: ServerRuntimeState
    /// The clock by which rows expire.
    let clock: Clock
    /// Returns the current time for irreversible decisions.
    let trusted: TrustedClock
    let logger: Log

    /// - Parameters:
    ///   - registry: already used to measure the database.
    ///   - metrics: shared by several servers; nil for the server's own.
    ///   - budget: nil for the configuration's.
    ///   - state: nil for an empty one.
    ///   - patience: how long a page of metrics waits for the database.
    ///   - trusted: nil to use `clock`.
    ///   - droppedLines: returns the number of dropped log lines.
    package init(
        _ application: Application, over database: Database, measuredBy registry: MetricRegistry = MetricRegistry(),
        sharing metrics: ServerMetrics? = nil, within budget: ByteBudget? = nil,
        keeping state: ServerRuntimeState? = nil, patience: Duration = ServerMetrics.patience,
        clock: @escaping Clock = SystemClock.now, trusted: TrustedClock? = nil,
        droppedLines: @escaping @Sendable () -> Int = { 0 }, _ logger: Log
    ) {
        let configuration = application.configuration
        let budget = budget ?? ByteBudget(BufferLimits.bytes(configuration.limits))
        let webhooks = WebhookSender(
            configuration.webhooks, product: Release.name, clock: clock, metrics: registry
        ) { logger.report($0) }
        self.database = database
        self.metrics =
            metrics
            ?? ServerMetrics(
                version: Release.version, registry: registry, database.store, budget, measuring: application.measured,
                patience: patience, clock: clock, noticesWaiting: { webhooks.waiting }, droppedLines: droppedLines)
        self.webhooks = webhooks
        self.budget = budget
        self.state = state ?? ServerRuntimeState(configuration.limits, logger)
        self.clock = clock
        self.trusted = trusted ?? { clock() }
        self.logger = logger
    }
}
