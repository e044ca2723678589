import Access
import AuthAPI
import CustomAPI
import HTTPModel
import HTTPServer
import MetricSeries
import ServerConfiguration
import ServerLogging
import ServerMetrics
import TableAPI
import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// The parts of a server, made by its configuration.
extension Application {
    /// Notifies the webhooks of the tables of writes.
    /// - Parameter registry: counts notices.
    func webhooks(
        _ logger: Log, _ registry: MetricRegistry = MetricRegistry(),
        clock: @escaping Clock = SystemClock.now
    ) -> WebhookSender {
        WebhookSender(configuration.webhooks, product: Release.name, clock: clock, metrics: registry) {
            logger.report($0)
        }
    }

    /// What a server of the database measures of itself.
    /// - Parameters:
    ///   - registry: what others measure with already.
    ///   - patience: how long a page of metrics waits for the database.
    ///   - clock: what stamps are compared with.
    ///   - noticesWaiting: how many notices of webhooks wait, by table.
    ///   - droppedLines: how many lines of the log nobody took.
    func metrics(
        of database: Database, _ budget: ByteBudget? = nil,
        registry: MetricRegistry = MetricRegistry(), patience: Duration = ServerMetrics.patience,
        clock: @escaping Clock = SystemClock.now,
        noticesWaiting: @escaping @Sendable () -> [Identifier: Int] = { [:] },
        droppedLines: @escaping @Sendable () -> Int = { 0 }
    ) -> ServerMetrics {
        ServerMetrics(
            version: Release.version, registry: registry, database.store, budget, measuring: measured,
            patience: patience, clock: clock,
            noticesWaiting: noticesWaiting, droppedLines: droppedLines)
    }

    /// What of the configuration is measured.
    var measured: MeasuredConfiguration {
        MeasuredConfiguration(
            tables: configuration.tables.map(\.name), hasClientTables: configuration.autoCreateTables,
            connectionLimit: configuration.limits.connections)
    }

    /// Everything that answers requests.
    /// - Parameters:
    ///   - notices: told about writes.
    ///   - budget: what all requests and answers together may hold.
    ///   - memory: what is kept from an earlier configuration; nil for nothing.
    ///   - clock: decides which rows have expired.
    ///   - trusted: the current time for what can't be undone; nil for the clock's.
    func handler(
        over database: Database, _ keys: TokenKeys, telling notices: any WriteNotices,
        measuring metrics: ServerMetrics, within budget: ByteBudget = ByteBudget(512 << 20),
        keeping memory: ServerRuntimeState? = nil, clock: @escaping Clock = SystemClock.now,
        trusted: TrustedClock? = nil,
        _ logger: Log
    ) -> RootHandler {
        let memory = memory ?? ServerRuntimeState(configuration.limits, logger)
        let settings = settings(
            over: database, keys, telling: notices, measuring: metrics, within: budget, keeping: memory,
            clock: clock, trusted: trusted, logger)
        return handler(over: database, keys, settings, measuring: metrics, keeping: memory, logger)
    }

    /// The same by settings that are made.
    func handler(
        over database: Database, _ keys: TokenKeys, _ settings: TableSettings, measuring metrics: ServerMetrics,
        keeping memory: ServerRuntimeState, _ logger: Log
    ) -> RootHandler {
        let minter = configuration.auth.signingKey.map { [auth = configuration.auth] key in
            TokenMinter(key: key, issuer: auth.issuer, audience: auth.audience)
        }
        let context = BuiltInAPI.Context(
            version: "v\(Release.version)", minter: minter, push: memory.push, clock: settings.clock)
        let scripts = ScriptParts(configuration, over: database, logger)
        let apis = configuration.apis.map { $0.definition(context) } + extensions.apis + (scripts?.apis ?? [])
        let addressLimit = memory.addressLimit(configuration.limits.addressRequestsPerMinute)
        let auth = authRouter(keys, settings.callers, database.users, memory.logins)
        let routes = Routes.all(
            over: database.store, settings, apis: apis, auth: auth, registry: memory.push,
            isLimited: addressLimit != nil, isTest: configuration.isTest,
            page: page(over: database, settings, auth, keeping: memory, measuring: metrics),
            chain: scripts?.chain, metrics: metrics, keyless: { keys.keyless })
        let log = memory.requestLog.naming(
            LoggedUsers(configuration.log.users, key: configuration.auth.signingKey),
            behind: configuration.trustedProxies)
        var observers: [any RequestObserver] = [metrics.requests, log]
        if configuration.recordsDevices, let devices = memory.devices { observers.append(devices) }
        if configuration.isPageEnabled != false { observers.append(PageObserver(record: memory.page.record)) }
        return RootHandler(
            routes, generations: settings.generations, proxies: settings.proxies,
            crossOrigin: configuration.cors.policy, addressLimit: addressLimit, ids: memory.ids,
            tellsIDs: configuration.scripts != nil, telling: observers)
    }

    /// What the table API does, and who may ask it.
    func settings(
        over database: Database, _ keys: TokenKeys, telling notices: any WriteNotices, measuring metrics: ServerMetrics,
        within budget: ByteBudget, keeping memory: ServerRuntimeState, clock: @escaping Clock,
        trusted: TrustedClock? = nil,
        _ logger: Log
    ) -> TableSettings {
        var settings = tableSettings(keys.authenticator, memory)
        if !configuration.auth.providers.isEmpty { settings.callers.sessions = LocalSessions(database.users) }
        settings.callers.report = { failure in
            metrics.count(failure)
            logger.report(failure)
        }
        settings.notices = notices
        settings.answers.budget = budget
        settings.answers.bytes = BufferLimits.answerBytes(configuration.limits)
        settings.answers.shortBytes = configuration.limits.pageBytes
        settings.clock = clock
        settings.callers.clock = clock
        settings.callers.trusted = trusted ?? { clock() }
        settings.hooks = extensions.hooks
        settings.scripts = ScriptParts(configuration, over: database, logger)?.tables
        settings.reportHookFailure = { logger.error("a hook failed", members: ["detail": $0]) }
        return settings
    }

    /// Answers logins; nil if there is no key to sign tokens with.
    private func authRouter(
        _ keys: TokenKeys, _ callers: Callers, _ users: any UserStore, _ memory: LoginRuntimeState
    ) -> AuthRouter? {
        guard var settings = configuration.auth.loginSettings(keys.providers) else { return nil }
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        settings.allowsOrigin = configuration.cors.policy.allowsTokens
        return AuthRouter(settings, callers: callers, users: users, memory: memory)
    }

    private func tableSettings(_ authenticator: Authenticator, _ memory: ServerRuntimeState) -> TableSettings {
        var settings = TableSettings(authenticator: authenticator, keyAttempts: memory.keyAttempts)
        settings.memory = memory.operations
        settings.serves = { [names = Set(configuration.tables.map(\.name)), all = configuration.autoCreateTables] in
            names.contains($0.name) || all && $0.isClients
        }
        settings.callers.proxies = configuration.trustedProxies
        settings.callers.userLimit = memory.userLimit(configuration.limits.userRequestsPerMinute)
        settings.access = configuration.access
        settings.behaviours = configuration.behaviours
        for table in configuration.tables { settings.declaredColumns[table.name] = Set(table.columns.map(\.name)) }
        settings.generations = Generations(
            fallback: configuration.generation, isVersionRequired: configuration.requireVersion)
        settings.autoCreateTables = configuration.autoCreateTables
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        settings.textComparison = configuration.textComparison
        settings.repeatWindow = .seconds(configuration.repeatWindow)
        settings.clientTableRules.pageSize = configuration.pageSize
        settings.clientTableRules.maxTop = configuration.maxTop
        return settings
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.bodyBytes = configuration.limits.bodyBytes
        limits.connectionCount = configuration.limits.connections
        limits.addressConnectionCount = configuration.limits.addressConnections
        limits.idleTime = .seconds(configuration.limits.keepAliveSeconds)
        limits.bodyBytesPerWindow = 60 * configuration.limits.bodyBytesPerSecond
        limits.sendBytesPerWindow = 60 * configuration.limits.answerBytesPerSecond
        limits.isProxy = { [proxies = configuration.trustedProxies] in proxies.contain($0) }
        return limits
    }
}
