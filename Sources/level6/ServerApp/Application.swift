import Access
import AuthAPI
public import CustomAPI
import DataPage
import Foundation
import HTTPModel
package import HTTPServer
public import MetricSeries
public import Operating
import Platform
import PostgresStorage
import SQLiteStorage
import Scripts
public import ServerConfiguration
public import ServerLogging
import StoreMetrics
import TableAPI
import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// The composition root: opens the store, sets up the routers, listens, and shuts everything down in order.
public struct Application: Sendable {
    package let configuration: Configuration
    let extensions: Extensions
    private let reading: ConfigurationReading?
    private let socket: InheritedSocket?

    /// Creates an application from a checked configuration.
    /// - Parameters:
    ///   - extensions: what a program adds to the server.
    ///   - reading: rereads the configuration while the server runs; nil if that isn't possible.
    ///   - socket: the socket to serve on; nil for the configuration's host and port.
    public init(
        _ configuration: Configuration, extensions: Extensions = Extensions(), reading: ConfigurationReading? = nil,
        socket: InheritedSocket? = nil
    ) {
        self.socket = socket
        self.configuration = configuration
        self.extensions = extensions
        self.reading = reading
    }

    /// Serves until a stop signal, then lets requests in flight finish. A second signal stops at once, and ends the
    /// process if that takes longer than `StopSignals.patience`.
    /// - Parameters:
    ///   - migrates: whether the database may be updated to this version's schema and to the configuration's tables. If
    ///     not, and it is behind, the server does not start, or keeps the configuration that it has.
    ///   - registry: counts and measures what the server does.
    ///   - hear: called for each logged event, on its own thread; nil for no listener.
    public func run(
        migrates: Bool = true, measuredBy registry: MetricRegistry = MetricRegistry(),
        hear: (@Sendable (LogEvent) -> Void)? = nil
    ) async throws(StartFault) {
        // If the reader of a log pipe ends, the server must not end too.
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let settings = CurrentLogSettings(configuration.log)
        let log = LineWriter(log: settings)
        let listener = hear.map(LogListener.init)
        defer {
            log.close(within: 1)
            listener?.close(within: 1)
        }
        let page = PageRuntimeState()
        let isPageEnabled = configuration.isPageEnabled != false
        let logger = Log(settings, telling: listener) { line in
            log.write(line)
            if isPageEnabled { page.log.append(line) }
        }
        if let fault = extensionFaults.first { throw .configuration(fault) }
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.notice("\(note)") }
        if !migrates { try await DatabaseMigration(of: configuration).refusePending(because: "--no-migrate") }
        let server: RunningServer
        let address: (host: String, port: UInt16)
        let database = try await open(measuredBy: registry, logger)
        for exposure in fileExposures { logger.warning("\(exposure)") }
        do throws(ConfigurationFault) {
            server = try RunningServer(
                self, over: database, measuredBy: registry, log: settings, droppedLines: { log.droppedCount },
                page: page,
                logger)
        } catch {
            await database.close()
            throw .configuration("\(error)")
        }
        do throws(ServerError) {
            address = try server.http.start(at: place)
        } catch {
            await server.close()
            throw .configuration("\(error)")
        }
        let environment = ProcessInfo.processInfo.environment
        let service = ServiceManager(environment["NOTIFY_SOCKET"])
        let watchdog = service.flatMap { Self.watch(server, in: environment, telling: $0) }
        defer { watchdog?.cancel() }
        let reloading = reload(server, at: signals, migrates: migrates, telling: service, logger)
        FreedMemory.giveBackCode()
        if !configuration.isTest { logger.log(level: .info, "\(Self.whoIsOfMachine)") }
        Self.announce("\(configuration.scheme)://\(Self.authority(of: address))")
        service?.isReady(server.status)
        await Self.waitAndDrain(server.http, signals.arrivals, logger) { service?.isStopping() }
        reloading?.cancel()
        await server.close()
        // Not earlier: if something hangs before this, a second signal ends it.
        signals.cancel()
        logger.notice("stopped")
    }

    /// Explains who may open pages reserved for callers on this machine.
    private static let whoIsOfMachine = """
        the operator's pages are open on this machine to root, to the server's own user and to people's accounts, by HTTP/1.1 \
        and without a field that proxies add; a proxy here that runs as one of these has to add X-Forwarded-For
        """

    /// The address to listen on.
    package var place: ListenAddress {
        if let socket { return .socket(socket.descriptor) }
        return .address(
            host: configuration.host, port: UInt16(configuration.port), isShared: configuration.reusePort)
    }

    /// Keeps systemd informed while the server is alive; nil if systemd doesn't ask for that.
    private static func watch(
        _ server: RunningServer, in environment: [String: String], telling service: ServiceManager
    ) -> Watchdog? {
        guard let time = Watchdog.microseconds(in: environment, process: getpid()) else { return nil }
        return Watchdog(
            within: time, ask: { server.askForLife() }, isAlive: { server.isAlive }, tell: { service.isAlive() })
    }

    private func open(measuredBy registry: MetricRegistry, _ logger: Log) async throws(StartFault) -> Database {
        let statements = StatementLogger(logger, slowMilliseconds: configuration.log.slowMilliseconds)
        let report: @Sendable (PostgresNote) -> Void = { note in
            switch note {
            case .warning(let text): logger.warning("\(text)")
            case .notice(let text): logger.notice("\(text)")
            }
        }
        return try await StartFault.asking(
            await Database.open(
                configuration, watch: StoreInstrumentation(registry, log: statements), report: report))
    }

    /// Rereads the configuration on SIGHUP, or when its files change if that signal was ignored from the start.
    private func reload(
        _ server: RunningServer, at signals: StopSignals, migrates: Bool, telling service: ServiceManager?,
        _ logger: Log
    ) -> Task<Void, Never>? {
        guard let reading else { return nil }
        let (requests, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = ScriptChanges({ reading.scriptState() }) { request.yield() }
        changes.watch(configuration.scripts, since: reading.first.scripts)
        let reloader = Reloader(
            reading: reading, extensions: extensions, server: server, migrates: migrates, service: service,
            changes: changes, logger: logger)
        let ignores = signals.ignoresHangUps
        if ignores {
            logger.notice("SIGHUP is ignored, as it was at the start; the configuration's files are watched instead")
        }
        // Changes to scripts take effect immediately, for those who work on them.
        let watch =
            ignores || configuration.scripts != nil
            ? FileWatcher(
                since: ignores ? reading.first.files : reading.first.scripts,
                { ignores ? reading.state() : reading.scriptState() }
            ) { request.yield() } : nil
        let hearing = Task { [hangUps = signals.hangUps] in for await _ in hangUps { request.yield() } }
        return Task {
            await reloader.run(at: requests)
            hearing.cancel()
            watch?.cancel()
        }
    }

    /// Checks whether the server could start, and changes nothing.
    /// - Returns: a line for each table that would be served, and the report for operators who move scripts here.
    public func check() async throws(StartFault) -> (tables: [String], move: [String]) {
        let tables = try await tables()
        let lines = tables.map { table in
            TableSummary.line(table, configuration.access[table.name] ?? AccessRules(), behaviours(of: table))
        }
        return (lines, moveReport(over: tables))
    }

    /// What other users of the machine may read or change in the database, one sentence each.
    public var fileExposures: [String] {
        guard case .sqlite(let path) = configuration.database else { return [] }
        return FilePrivacy.exposures(of: path)
    }

    /// Describes a table and its access rules, and changes nothing.
    /// - Parameter name: the name of the table, in any case.
    public func describe(_ name: String) async throws(StartFault) -> [String] {
        let wanted = Identifier(name)
        guard let table = try await tables().first(where: { $0.name == wanted }) else {
            let isKept = if let wanted { try await kept(wanted) != nil } else { false }
            let hint = isKept ? " in the configuration, though the database has it: `serve --app` may serve it" : ""
            throw .configuration("there is no table \(name)\(hint)")
        }
        var lines = TableSummary.lines(
            table, configuration.access[table.name] ?? AccessRules(), behaviours(of: table))
        if table.rules.softDelete {
            lines += TableSummary.tombstones(keptFor: configuration.tombstones[table.name], try await kept(table.name))
        }
        return lines
    }

    /// Returns what the database stores about a table; nil if it has no such table yet, or another schema.
    private func kept(_ name: Identifier) async throws(StartFault) -> SnapshotTable? {
        do throws(TableError) {
            let snapshot = try await Database.snapshot(configuration.database)
            defer { Task { await snapshot.close() } }
            return try await snapshot.contents().tables.first { $0.table.name == name }
        } catch {
            switch error {
            case .definition, .unavailable: return nil
            default: throw StartFault(error)
            }
        }
    }

    private func behaviours(of table: Table) -> [String] {
        BehaviourSummary.traits(
            configuration.behaviours[table.name] ?? TableBehaviour(), configuration.webhooks[table.name])
    }

    private func tables() async throws(StartFault) -> [Table] {
        try await StartFault.asking(await Database.check(configuration))
    }

    /// Conflicts between the program's extensions and this configuration.
    package var extensionFaults: [String] {
        let scripted = configuration.scripts?.inventory.apis.map { $0.name.lowercased() } ?? []
        let configured = Set(configuration.apis.map { $0.name.lowercased() } + scripted)
        let twice = extensions.apis.filter { configured.contains($0.name.lowercased()) }.map {
            "the API \($0.name) is in the configuration and in the program"
        }
        let tables = Set(configuration.tables.map(\.name))
        let unknown = extensions.hooks.keys.filter { !tables.contains($0) && !configuration.autoCreateTables }.map {
            "there is no table \($0) for the program's hooks"
        }
        return extensions.faults + twice + unknown.sorted()
    }

    /// The line that scripts wait for. It goes out at once, also into a pipe; one that is full keeps nothing but the
    /// line.
    /// - Parameter line: another that follows; nil for none.
    package static func announce(_ url: String, then line: String? = nil) {
        let output = LineWriter(to: STDOUT_FILENO) { _ in [] }
        output.write(Array("zumod listening on \(url)\n\(line.map { "\($0)\n" } ?? "")".utf8))
        output.close(within: 0)
    }

    /// Returns the authority of a URL for an address.
    package static func authority(of address: (host: String, port: UInt16)) -> String {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        return "\(host):\(address.port)"
    }

    /// Serves until a signal, then lets requests in flight finish, unless there is a second signal.
    /// - Parameter begin: called at the first signal.
    package static func waitAndDrain(
        _ server: HTTPServer, _ signals: AsyncStream<Int32>, _ logger: Log, beginningWith begin: () -> Void
    ) async {
        var iterator = signals.makeAsyncIterator()
        let first = await iterator.next()
        begin()
        logger.notice("stopping: requests in flight may finish", members: ["signal": "\(first ?? 0)"])
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
