import CustomAPI
import HTTPModel
import Scalars
import ServerApp
import ServerConfiguration
import ServerLogging
import ServerMetrics
import StoreMetrics
import Synchronization
import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// What serves a world's requests.
struct ServedWorld: Sendable {
    let handler: RootHandler
    /// Its tables, without any checks of access.
    let tables: ServerTables
    let push: PushRegistry
    let webhooks: WebhookSender
    /// Whether its ids are the same in each run.
    let isSeeded: Bool
}

/// Creates the parts of worlds.
final class WorldFactory: Sendable {
    let databases: WorldDatabases
    let watch: StoreInstrumentation
    private let application: Application
    private let keys: TokenKeys
    private let metrics: ServerMetrics
    private let budget: ByteBudget
    private let logger: Log
    /// The initial states of databases by the time that the world's clock is set to; nil for the machine's time.
    private let beginnings = Mutex<[Instant?: WorldDatabases.State]>([:])

    private let isStopping = Atomic(false)

    /// Whether the server is stopping.
    var isHurried: @Sendable () -> Bool { { [self] in isStopping.load(ordering: .relaxed) } }

    /// Ends all deliberate waits.
    func hurry() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// For how many clock settings the initial rows are kept.
    private static let maximumBeginnings = 16

    init(
        _ application: Application, _ databases: WorldDatabases, _ keys: TokenKeys, _ watch: StoreInstrumentation,
        _ metrics: ServerMetrics, _ budget: ByteBudget, _ logger: Log
    ) {
        self.application = application
        self.databases = databases
        self.keys = keys
        self.watch = watch
        self.metrics = metrics
        self.budget = budget
        self.logger = logger
    }

    /// Returns the tables with their first rows.
    /// - Parameter clock: the time that the world's clock is set to; nil for the time at which the server started.
    func beginning(at clock: Instant? = nil) async throws(TableError) -> WorldDatabases.State {
        if let state = beginnings.withLock({ $0[clock] }) { return state }
        // An hour earlier, so that the first row a test writes gets exactly the time that the test has set.
        let made = try await databases.seed { (clock ?? SystemClock.now()).earlier(by: .seconds(3_600)) }
        let (state, others) = beginnings.withLock { beginnings in
            // If two were made at the same time, the first one is used.
            if let first = beginnings[clock] { return (first, [made]) }
            var others: [WorldDatabases.State] = []
            if beginnings.count >= Self.maximumBeginnings,
                let oldest = beginnings.keys.compactMap({ $0 }).min(by: { $0.milliseconds < $1.milliseconds })
            {
                others = beginnings.removeValue(forKey: oldest).map { [$0] } ?? []
            }
            beginnings[clock] = made
            return (made, others)
        }
        if clock == nil { databases.keepSpares(of: state) }
        for other in others { await databases.discard(other) }
        return state
    }

    /// Opens a database and sets up a server on it.
    func stage(
        from state: WorldDatabases.State, clock: TestClock, isSeeded: Bool, push: PushRegistry = PushRegistry()
    ) async throws(TableError) -> World.Stage {
        let open = try await databases.open(state, watch, clock: clock.now)
        return World.Stage(open: open, served: serve(open, clock: clock, isSeeded: isSeeded, push: push))
    }

    /// Sets up a server on an open database.
    func serve(
        _ open: WorldDatabases.Open, clock: TestClock, isSeeded: Bool, push: PushRegistry
    ) -> ServedWorld {
        let state = ServerRuntimeState(
            application.configuration.limits, logger, push: push,
            ids: isSeeded ? RequestIDs(run: 0) : RequestIDs())
        let parts = ServerParts(
            application, over: open.database, sharing: metrics, within: budget, keeping: state, clock: clock.now, logger
        )
        return ServedWorld(
            handler: application.handler(of: parts, by: keys), tables: application.tables(of: parts, by: keys),
            push: push, webhooks: parts.webhooks, isSeeded: isSeeded)
    }

    /// Shuts down a stage that is no longer used.
    func end(_ stage: World.Stage) async {
        await stage.served.webhooks.close()
        await databases.end(stage.open)
    }

    /// Deletes the initial states, and disconnects from the database server.
    func close() async {
        for state in beginnings.withLock({ $0.values.map(\.self) }) { await databases.discard(state) }
        await databases.close()
    }
}
