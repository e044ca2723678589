import Access
import AuthAPI
import Glibc
import HTTPServer
import Logging
import TableAPI
import Tables

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
            case .unavailable(let detail), .failed(let detail): self = .database(detail)
            case .full: self = .database("the disk or the database is full")
            case .query, .timeout, .unknownProperty, .reservedProperty, .invalidColumnName, .typeMismatch,
                .tooManyColumns, .outsideScope:
                self = .bug("\(error)")
            }
        }
    }

    private let configuration: Configuration

    /// Makes an application of a checked configuration.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Serves until a signal says stop, then lets requests in flight finish. A second signal stops at once.
    public func run() async throws(Fault) {
        // The end of whoever reads the logs through a pipe must not end the server too.
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let logger = Logger(label: "zumod") { [log = configuration.log] _ in LineLogHandler(log) }
        for note in configuration.notes { logger.notice("\(note)") }
        let database: Database
        do throws(TableError) {
            database = try await Database.open(configuration)
        } catch {
            throw Fault(error)
        }
        let keys: Keys
        do throws(ConfigurationFault) {
            keys = try Keys(configuration.auth)
        } catch {
            await database.close()
            throw .configuration("\(error)")
        }
        let keyWatch = KeyWatch(keys, logger: logger)
        defer { keyWatch.cancel() }
        let server = HTTPServer(handler: handler(over: database, keys, logger), limits: limits)
        let address: (host: String, port: UInt16)
        do throws(ServerError) {
            address = try server.start(host: configuration.host, port: UInt16(configuration.port))
        } catch {
            await database.close()
            throw .configuration("\(error)")
        }
        Self.announce(address)
        await Self.waitAndDrain(server, signals.arrivals, logger)
        signals.cancel()
        await database.close()
        logger.notice("stopped")
    }

    /// Says what would keep the server from starting, and changes nothing.
    /// - Returns: a line about each table that would be served.
    public func check() async throws(Fault) -> [String] {
        try await tables().map { TableSummary.line($0, configuration.access[$0.name] ?? AccessRules()) }
    }

    /// Says what one table holds and who may do what with it, and changes nothing.
    /// - Parameter name: in any case.
    public func describe(_ name: String) async throws(Fault) -> [String] {
        let wanted = Identifier(name)
        guard let table = try await tables().first(where: { $0.name == wanted }) else {
            throw .configuration("there is no table \(name)")
        }
        return TableSummary.lines(table, configuration.access[table.name] ?? AccessRules())
    }

    private func tables() async throws(Fault) -> [Table] {
        do throws(TableError) {
            return try await Database.check(configuration)
        } catch {
            throw Fault(error)
        }
    }

    /// Everything that answers requests.
    func handler(over database: Database, _ keys: Keys, _ logger: Logger) -> RootHandler {
        RootHandler(
            store: database.store, settings: tableSettings(keys.authenticator),
            auth: authRouter(keys, database.users), logger: logger)
    }

    /// Answers logins; nil where there is no key to sign tokens with.
    private func authRouter(_ keys: Keys, _ users: any UserStore) -> AuthRouter? {
        guard var settings = configuration.auth.loginSettings(keys.providers) else { return nil }
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        return AuthRouter(settings, authenticator: keys.authenticator, users: users)
    }

    func tableSettings(_ authenticator: Authenticator) -> TableSettings {
        var settings = TableSettings(authenticator: authenticator)
        settings.access = configuration.access
        settings.generation = configuration.generation
        settings.requireVersion = configuration.requireVersion
        settings.autoCreateTables = configuration.autoCreateTables
        settings.publicURL = configuration.publicURL
        settings.proxies = configuration.trustedProxies
        settings.textComparison = configuration.textComparison
        settings.clientTableRules.pageSize = configuration.pageSize
        settings.clientTableRules.maxTop = configuration.maxTop
        return settings
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.bodyBytes = configuration.limits.bodyBytes
        limits.connectionCount = configuration.limits.connections
        return limits
    }

    /// The line that scripts wait for. It goes out at once, also into a pipe.
    private static func announce(_ address: (host: String, port: UInt16)) {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        print("zumod listening on http://\(host):\(address.port)")
        fflush(nil)
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
