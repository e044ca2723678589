import Access
import AuthAPI
import CustomAPI
import HTTPModel
package import HTTPServer
import MetricSeries
import Scripts
import ServerConfiguration
import ServerLogging
package import ServerMetrics
import TableAPI
package import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// Assembles a server's parts according to the configuration.
extension Application {
    /// The measured part of the configuration.
    package var measured: MeasuredConfiguration {
        var workers: (@Sendable () -> Int)?
        if let host = configuration.scripts { workers = { host.servingWorkers } }
        return MeasuredConfiguration(
            tables: configuration.tables.map(\.name), hasClientTables: configuration.autoCreateTables,
            connectionLimit: configuration.limits.connections,
            scriptWorkers: workers)
    }

    /// Returns the handler that answers all requests.
    package func handler(of parts: ServerParts, by keys: TokenKeys) -> RootHandler {
        let settings = settings(of: parts, by: keys)
        let state = parts.state
        let minter = configuration.auth.signingKey.map { [auth = configuration.auth] key in
            TokenMinter(key: key, issuer: auth.issuer, audience: auth.audience)
        }
        let context = BuiltInAPI.Context(
            version: "v\(Release.version)", minter: minter, push: state.push, clock: settings.clock)
        let scripts = ScriptParts(configuration, over: parts.database, parts.logger)
        let apis = configuration.apis.map { $0.definition(context) } + extensions.apis + (scripts?.apis ?? [])
        let addressLimit = state.addressLimit(configuration.limits.addressRequestsPerMinute)
        let auth = authRouter(keys, settings.callers, parts)
        let routes = Routes.all(
            over: parts.database.store, settings, apis: apis, auth: auth, registry: state.push,
            isLimited: addressLimit != nil, isTest: configuration.isTest,
            page: page(of: parts, settings, auth), chain: scripts?.chain, metrics: parts.metrics,
            keyless: { keys.keyless }, scriptsFail: { [host = configuration.scripts] in host?.isFailing ?? false })
        let log = state.requestLog.naming(
            LoggedUsers(configuration.log.users, key: configuration.auth.signingKey),
            behind: configuration.trustedProxies)
        var observers: [any RequestObserver] = [parts.metrics.requests, log]
        if configuration.recordsDevices, let devices = state.devices { observers.append(devices) }
        if configuration.isPageEnabled != false { observers.append(PageObserver(record: state.page.record)) }
        return RootHandler(
            routes, generations: settings.generations, proxies: settings.proxies,
            crossOrigin: configuration.cors.policy, addressLimit: addressLimit, ids: state.ids,
            tellsIDs: configuration.scripts != nil, telling: observers)
    }

    /// Returns the tables of a server without any checks of access.
    package func tables(of parts: ServerParts, by keys: TokenKeys) -> ServerTables {
        let router = TableRouter(store: parts.database.store, settings: settings(of: parts, by: keys))
        return ServerTables(router.operations, by: .admin(nil))
    }

    /// Returns the settings of the table API.
    private func settings(of parts: ServerParts, by keys: TokenKeys) -> TableSettings {
        let state = parts.state
        var settings = TableSettings(authenticator: keys.authenticator, keyAttempts: state.keyAttempts)
        settings.memory = state.operations
        settings.serves = { [names = Set(configuration.tables.map(\.name)), all = configuration.autoCreateTables] in
            names.contains($0.name) || all && $0.isClients
        }
        settings.callers.proxies = configuration.trustedProxies
        settings.callers.userLimit = state.userLimit(configuration.limits.userRequestsPerMinute)
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
        if !configuration.auth.providers.isEmpty { settings.callers.sessions = LocalSessions(parts.database.users) }
        settings.callers.report = { [metrics = parts.metrics, logger = parts.logger] failure in
            metrics.count(failure)
            logger.report(failure)
        }
        settings.notices = parts.webhooks
        settings.answers.budget = parts.budget
        settings.answers.bytes = BufferLimits.answerBytes(configuration.limits)
        settings.answers.shortBytes = configuration.limits.pageBytes
        settings.clock = parts.clock
        settings.callers.clock = parts.clock
        settings.callers.trusted = parts.trusted
        settings.hooks = extensions.hooks
        settings.scripts = ScriptParts(configuration, over: parts.database, parts.logger)?.tables
        settings.reportHookFailure = { [logger = parts.logger] in logger.error("a hook failed", members: ["detail": $0])
        }
        return settings
    }

    /// Returns the route for logins; nil if there is no key to sign tokens with.
    private func authRouter(_ keys: TokenKeys, _ callers: Callers, _ parts: ServerParts) -> AuthRouter? {
        guard var settings = configuration.auth.loginSettings(keys.providers) else { return nil }
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        settings.allowsOrigin = configuration.cors.policy.allowsTokens
        return AuthRouter(settings, callers: callers, users: parts.database.users, memory: parts.state.logins)
    }

    /// The limits of the HTTP server.
    package var limits: ServerLimits {
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
