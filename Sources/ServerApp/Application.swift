import Access
import AuthAPI
public import CustomAPI
import Glibc
import HTTPModel
import HTTPServer
import Logging
import PostgresStorage
import SQLiteStorage
import TableAPI
import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// The composition root: opens the store, puts the routers before it, listens, and ends in good order.
public struct Application: Sendable {
    /// Why the server did not start.
    public enum Fault: Error, Sendable {
        /// The database doesn't open or is in another program's hands; the sentence is for the operator.
        case database(String)
        /// The definitions don't fit the database, or the address can't be listened on.
        case configuration(String)
        /// Something that can't happen, happened.
        case bug(String)

        init(_ error: TableError) {
            switch error {
            case .definition(let sentence): self = .configuration(sentence)
            case .unavailable(let detail), .doubtful(let detail), .failed(let detail): self = .database(detail)
            case .full: self = .database("the disk or the database is full")
            case .query, .timeout, .busy, .abandoned, .tooLarge, .unknownProperty, .reservedProperty,
                .invalidColumnName, .typeMismatch, .tooManyDigits, .tooManyColumns, .tooManyClientColumns,
                .tooManyClientTables, .outsideScope:
                self = .bug("\(error)")
            }
        }
    }

    private let configuration: Configuration
    private let extensions: Extensions

    /// Makes an application of a checked configuration.
    /// - Parameter extensions: what a program adds to the server.
    public init(_ configuration: Configuration, extensions: Extensions = Extensions()) {
        self.configuration = configuration
        self.extensions = extensions
    }

    /// Serves until a signal says stop, then lets requests in flight finish. A second signal stops at once, and ends the
    /// process where that takes longer than `StopSignals.patience`.
    /// - Parameter migrates: whether the database may be brought to this version's schema. Where it may not and is
    ///   behind, the server does not start.
    public func run(migrates: Bool = true) async throws(Fault) {
        // The end of whoever reads the logs through a pipe must not end the server too.
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let log = Self.log(in: configuration.log.format)
        defer { log.close(within: 1) }
        let logger = Logger(label: "zumod") { [settings = configuration.log] _ in
            LineLogHandler(settings, write: log.write)
        }
        if let fault = extensionFaults.first { throw .configuration(fault) }
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.notice("\(note)") }
        if !migrates { try await Migration(of: configuration).refusePending() }
        let database: Database
        do throws(TableError) {
            database = try await Database.open(configuration) { note in
                switch note {
                case .warning(let text): logger.warning("\(text)")
                case .notice(let text): logger.notice("\(text)")
                }
            }
        } catch {
            throw Fault(error)
        }
        for exposure in fileExposures { logger.warning("\(exposure)") }
        let keys: Keys
        do throws(ConfigurationFault) {
            keys = try Keys(configuration.auth)
        } catch {
            await database.close()
            throw .configuration("\(error)")
        }
        let keyWatch = KeyWatch(keys, logger: logger)
        defer { keyWatch.cancel() }
        let webhooks = webhooks(logger)
        let budget = ByteBudget(BufferLimits.bytes(configuration.limits))
        let metrics = metrics(of: database, budget)
        let server = HTTPServer(
            handler: handler(over: database, keys, telling: webhooks, measuring: metrics, within: budget, logger),
            limits: limits, budget: budget, metrics: metrics.registry)
        let address: (host: String, port: UInt16)
        do throws(ServerError) {
            address = try server.start(host: configuration.host, port: UInt16(configuration.port))
        } catch {
            await database.close()
            throw .configuration("\(error)")
        }
        let purging = Task { [keep = configuration.tombstones, store = database.store] in
            await TombstoneSchedule(keep: keep, clock: { SystemClock.now() }, logger: logger).run(on: store)
        }
        Self.announce(address)
        await Self.waitAndDrain(server, signals.arrivals, logger)
        // Every write is done by now, so that no notice is still to come.
        await webhooks.close()
        purging.cancel()
        await purging.value
        await database.close()
        // Not before: whatever hangs until here, a second signal ends it.
        signals.cancel()
        logger.notice("stopped")
    }

    /// Says what would keep the server from starting, and changes nothing.
    /// - Returns: a line about each table that would be served.
    public func check() async throws(Fault) -> [String] {
        try await tables().map { table in
            TableSummary.line(table, configuration.access[table.name] ?? AccessRules(), behaviours(of: table))
        }
    }

    /// What other users of the machine may read or change of the database, a sentence each.
    public var fileExposures: [String] {
        guard case .sqlite(let path) = configuration.database else { return [] }
        return FilePrivacy.exposures(of: path)
    }

    /// Says what one table holds and who may do what with it, and changes nothing.
    /// - Parameter name: in any case.
    public func describe(_ name: String) async throws(Fault) -> [String] {
        let wanted = Identifier(name)
        guard let table = try await tables().first(where: { $0.name == wanted }) else {
            throw .configuration("there is no table \(name)")
        }
        var lines = TableSummary.lines(
            table, configuration.access[table.name] ?? AccessRules(), behaviours(of: table))
        if table.rules.softDelete {
            lines += TableSummary.tombstones(keptFor: configuration.tombstones[table.name], try await kept(table.name))
        }
        return lines
    }

    /// What the database keeps about a table; nil where it has none by that name yet, or another schema.
    private func kept(_ name: Identifier) async throws(Fault) -> SnapshotTable? {
        do throws(TableError) {
            let snapshot = try await Database.snapshot(configuration.database)
            defer { Task { await snapshot.close() } }
            return try await snapshot.contents().tables.first { $0.table.name == name }
        } catch {
            switch error {
            case .definition, .unavailable: return nil
            default: throw Fault(error)
            }
        }
    }

    private func behaviours(of table: Table) -> [String] {
        BehaviourSummary.traits(
            configuration.behaviours[table.name] ?? TableBehaviour(), configuration.webhooks[table.name])
    }

    private func tables() async throws(Fault) -> [Table] {
        do throws(TableError) {
            return try await Database.check(configuration)
        } catch {
            throw Fault(error)
        }
    }

    /// Who is told of writes, by the webhooks of the tables.
    func webhooks(_ logger: Logger) -> WebhookSender {
        WebhookSender(configuration.webhooks, product: Release.name) { WebhookLog.write($0, to: logger) }
    }

    /// What a server of the database measures of itself.
    /// - Parameter clock: what stamps are compared with.
    func metrics(
        of database: Database, _ budget: ByteBudget? = nil, clock: @escaping Clock = SystemClock.now
    ) -> ServerMetrics {
        ServerMetrics(
            database.store, budget, tables: configuration.tables.map(\.name),
            hasClientTables: configuration.autoCreateTables, clock: clock)
    }

    /// Everything that answers requests.
    /// - Parameters:
    ///   - notices: who learns of writes.
    ///   - budget: what all requests and answers together may hold.
    ///   - clock: tells which rows have expired.
    func handler(
        over database: Database, _ keys: Keys, telling notices: any WriteNotices,
        measuring metrics: ServerMetrics, within budget: ByteBudget = ByteBudget(512 << 20),
        clock: @escaping Clock = SystemClock.now, _ logger: Logger
    ) -> RootHandler {
        var settings = tableSettings(keys.authenticator)
        if configuration.auth.hasLocalUsers { settings.callers.sessions = LocalSessions(database.users) }
        settings.callers.report = { [failures = metrics.accessFailures] in failures.record($0, logger) }
        settings.notices = notices
        settings.answers.budget = budget
        settings.answers.bytes = BufferLimits.answerBytes(configuration.limits)
        settings.clock = clock
        settings.hooks = extensions.hooks
        settings.reportHookFailure = { logger.error("a hook failed", metadata: ["detail": .string($0)]) }
        let auth = configuration.auth
        let minter = auth.signingKey.map { TokenMinter(key: $0, issuer: auth.issuer, audience: auth.audience) }
        let registry = PushRegistry()
        let context = BuiltInAPI.Context(version: "v\(Release.version)", minter: minter, push: registry)
        let apis = configuration.apis.map { $0.definition(context) } + extensions.apis
        return RootHandler(
            store: database.store, settings: settings, apis: apis,
            auth: authRouter(keys, settings.callers, database.users), registry: registry,
            crossOrigin: configuration.cors.policy,
            addressLimit: RateLimit(configuration.limits.addressRequestsPerMinute), metrics: metrics, logger: logger)
    }

    /// Answers logins; nil where there is no key to sign tokens with.
    private func authRouter(_ keys: Keys, _ callers: Callers, _ users: any UserStore) -> AuthRouter? {
        guard var settings = configuration.auth.loginSettings(keys.providers) else { return nil }
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        settings.allowsOrigin = configuration.cors.policy.allowsTokens
        return AuthRouter(settings, callers: callers, users: users)
    }

    /// What is wrong with the program's extensions, beside this configuration.
    var extensionFaults: [String] {
        let configured = Set(configuration.apis.map { $0.name.lowercased() })
        let twice = extensions.apis.filter { configured.contains($0.name.lowercased()) }.map {
            "the API \($0.name) is in the configuration and in the program"
        }
        let tables = Set(configuration.tables.map(\.name))
        let unknown = extensions.hooks.keys.filter { !tables.contains($0) && !configuration.autoCreateTables }.map {
            "there is no table \($0) for the program's hooks"
        }
        return extensions.faults + twice + unknown.sorted()
    }

    func tableSettings(_ authenticator: Authenticator) -> TableSettings {
        var settings = TableSettings(authenticator: authenticator)
        settings.callers.proxies = configuration.trustedProxies
        settings.callers.userLimit = RateLimit(configuration.limits.userRequestsPerMinute)
        settings.access = configuration.access
        settings.behaviours = configuration.behaviours
        for table in configuration.tables { settings.declaredColumns[table.name] = Set(table.columns.map(\.name)) }
        settings.generation = configuration.generation
        settings.requireVersion = configuration.requireVersion
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
        limits.isProxy = { [proxies = configuration.trustedProxies] in proxies.contain($0) }
        return limits
    }

    /// The way of all logs to standard error.
    private static func log(in format: Configuration.Log.Format) -> LineWriter {
        LineWriter(to: STDERR_FILENO) { count in
            LineLogHandler.line(
                .warning, "log lines were dropped, since nobody took them", ["count": "\(count)"], in: format)
        }
    }

    /// The line that scripts wait for. It goes out at once, also into a pipe; one that is full keeps nothing but the line.
    private static func announce(_ address: (host: String, port: UInt16)) {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        let output = LineWriter(to: STDOUT_FILENO) { _ in [] }
        output.write(Array("zumod listening on http://\(host):\(address.port)\n".utf8))
        output.close(within: 0)
    }

    private static func waitAndDrain(_ server: HTTPServer, _ signals: AsyncStream<Int32>, _ logger: Logger) async {
        var iterator = signals.makeAsyncIterator()
        let first = await iterator.next()
        logger.notice("stopping: requests in flight may finish", metadata: ["signal": "\(first ?? 0)"])
        await withTaskGroup { group in
            group.addTask { await server.drain() }
            group.addTask {
                var again = signals.makeAsyncIterator()
                if await again.next() != nil {
                    logger.notice("stopping at once")
                    server.stop()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
