package import HTTPModel
package import MetricSeries
import ServerConfiguration
package import ServerLogging
package import ServerMetrics
package import Tables
package import Webhooks

/// What a server is put together from beside its configuration, and keeps when that is replaced. `ServerAssembly` puts a handler in
/// front of it: for the server that serves, for each world of tests, for those of the suite, and for the one that
/// `check --attack` asks.
package struct ServerParts: Sendable {
    let database: Database
    let metrics: ServerMetrics
    package let webhooks: WebhookSender
    /// What all requests and answers together may hold.
    let budget: ByteBudget
    let state: ServerRuntimeState
    /// Decides which rows have expired.
    let clock: Clock
    /// The current time for what can't be undone.
    let trusted: TrustedClock
    let logger: Log

    /// - Parameters:
    ///   - registry: what the database is measured with already.
    ///   - metrics: what several servers are measured with together; nil for the server's own.
    ///   - budget: nil for the configuration's.
    ///   - state: nil for nothing that is known yet.
    ///   - patience: how long a page of metrics waits for the database.
    ///   - trusted: nil for the clock's time.
    ///   - droppedLines: how many lines of the log nobody took.
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
