import DeviceRecording
import HTTPModel
import HTTPServer
import MetricSeries
import Operating
import Platform
import Scripts
import ServerConfiguration
import ServerLogging
import ServerMetrics
import Synchronization
import TLS
import Tables
import Webhooks
import ZumoProtocol

/// A server that serves, and takes another configuration while it does.
final class RunningServer: Sendable {
    let http: HTTPServer
    private let parts: ServerParts
    private let entrance: HandlerSwitch
    private let counting: Task<Void, Never>
    private let recording: Task<Void, Never>
    private let clocks: ClockMonitor
    private let watchingClocks: Task<Void, Never>
    private let log: CurrentLogSettings
    /// What it was started with.
    private let first: Configuration
    private let state: Mutex<State>
    /// Whether tables are made to fit, for which the thread that writes may take its time.
    private let isDefining = Atomic(false)
    private let isWriterAsked = Atomic(false)

    private struct State: Sendable {
        var application: Application
        var keyWatch: KeyWatcher
        /// nil if the server speaks plain HTTP.
        var certificateWatch: FileWatcher?
        var purging: Task<Void, Never>
        /// Starts the jobs of scripts; nil if there are none.
        var jobs: Task<Void, Never>?
        /// Why the configuration that was read last is not in force.
        var refusal: String?
    }

    /// - Parameters:
    ///   - registry: what the database is measured with already.
    ///   - droppedLines: how many lines of the log nobody took.
    ///   - page: what the data page keeps.
    init(
        _ application: Application, over database: Database, measuredBy registry: MetricRegistry,
        log: CurrentLogSettings, droppedLines: @escaping @Sendable () -> Int,
        page: PageRuntimeState = PageRuntimeState(),
        _ logger: Log
    ) throws(ConfigurationFault) {
        let configuration = application.configuration
        let keys = TokenKeys(configuration.auth)
        let files = configuration.tls?.state()
        let identity = try configuration.tls?.read()
        self.log = log
        first = configuration
        let clocks = ClockMonitor(time: TrustedTime(), store: database.store, registry: registry, logger: logger)
        self.clocks = clocks
        let state = ServerRuntimeState(
            configuration.limits, logger, page: page,
            devices: DeviceRecorder(database.store, present: { await clocks.present() }, logger))
        parts = ServerParts(
            application, over: database, measuredBy: registry, keeping: state, trusted: { clocks.time.now() },
            droppedLines: droppedLines, logger)
        counting = Task { [census = parts.metrics.census] in await census?.run() }
        watchingClocks = Task { await clocks.run() }
        recording = Task { [devices = state.devices] in await devices?.run() }
        entrance = HandlerSwitch(application.handler(of: parts, by: keys))
        let proxies = configuration.trustedProxies
        http = HTTPServer(
            handler: entrance, limits: application.limits, budget: parts.budget, identity: identity,
            metrics: registry
        ) { peer, fault in
            // Whoever looks whether a proxy's port is open says nothing, time and again.
            let level = proxies.contain(peer) ? LogLevel.debug : .info
            logger.log(level: level, "TLS failed", members: ["address": "\(peer)", "reason": "\(fault)"])
        }
        self.state = Mutex(
            State(
                application: application, keyWatch: KeyWatcher(keys, logger: logger),
                purging: Self.purge(configuration, parts, clocks),
                jobs: application.jobs(of: parts, beginning: true)))
        if let identity { show(identity) }
        watchCertificate(of: configuration, since: files)
    }

    /// Has new connections see a certificate.
    private func show(_ identity: TLSIdentity) {
        http.change(to: identity)
        parts.metrics.measure(certificateEnd: identity.validity.upperBound)
    }

    /// Takes over a newer certificate as soon as it is there.
    /// - Parameter known: how its files stood when they were read.
    private func watchCertificate(of configuration: Configuration, since known: [FileState]?) {
        let watch = configuration.tls.map { files in
            FileWatcher(since: known, { files.state() }) { [weak self] in
                self?.readCertificate(files, configuration.publicURL)
            }
        }
        state.withLock { state in
            state.certificateWatch?.cancel()
            state.certificateWatch = watch
        }
    }

    private func readCertificate(_ files: TLSFiles, _ publicURL: String?) {
        do throws(ConfigurationFault) {
            let identity = try files.read()
            show(identity)
            for warning in files.warnings(of: identity, at: SystemClock.now(), publicURL: publicURL) {
                parts.logger.warning("\(warning)")
            }
            parts.logger.notice(
                "the certificate has changed and is in force",
                members: ["until": "\(TLSFiles.day(identity.validity.upperBound))"])
        } catch {
            parts.logger.error("the certificate has changed, and the old one stays in force: \(error)")
        }
    }

    /// Serves by another configuration, if that can be: every request that comes after this returns is answered by it. Those
    /// that are under way end by the one under which they began. Not to be called by two at a time.
    /// - Throws: why everything stays as it is.
    func take(_ next: Application) async throws(StartFault) {
        if let fault = next.extensionFaults.first { throw .configuration(fault) }
        let configuration = next.configuration
        // It listens where it did, whatever the file says by now.
        if first.isExposed, let weakness = configuration.weaknesses.first {
            throw .configuration("\(weakness); where others reach the server that is an error")
        }
        let certificate = first.tls == nil ? nil : configuration.tls
        do throws(ConfigurationFault) {
            _ = try certificate?.read()
        } catch {
            throw .configuration("\(error)")
        }
        let (before, keys) = state.withLock { state in
            (state.application.configuration, TokenKeys(configuration.auth, keeping: state.keyWatch.keys))
        }
        if configuration.defines(otherTablesThan: before) {
            isDefining.store(true, ordering: .relaxed)
            defer { isDefining.store(false, ordering: .relaxed) }
            try await StartFault.asking(
                await parts.database.store.define(
                    configuration.tables, servesClientTables: configuration.autoCreateTables,
                    limits: configuration.limits.clients))
        }
        log.change(to: configuration.log)
        parts.state.change(to: configuration.limits)
        parts.budget.limit = BufferLimits.bytes(configuration.limits)
        parts.webhooks.replace(with: configuration.webhooks)
        parts.metrics.measure(next.measured)
        http.change(to: next.limits)
        if let certificate {
            // Read once more: tables may have taken their time, and a newer one may be there. What can't be read the watch tells.
            let files = certificate.state()
            if let identity = try? certificate.read() { show(identity) }
            watchCertificate(of: configuration, since: files)
        }
        entrance.replace(with: next.handler(of: parts, by: keys))
        // What is under way in the old scripts ends there; a request that has the old handler may be on its way to them.
        if let scripts = before.scripts, scripts !== configuration.scripts {
            Task {
                try? await Task.sleep(for: .seconds(1))
                scripts.close()
            }
        }
        state.withLock { state in
            state.application = next
            state.jobs?.cancel()
            // What a service does as it begins it has done.
            state.jobs = next.jobs(of: parts, beginning: false)
            state.keyWatch.cancel()
            state.keyWatch = KeyWatcher(keys, logger: parts.logger)
            guard configuration.tombstones != before.tombstones else { return }
            state.purging.cancel()
            state.purging = Self.purge(configuration, parts, clocks)
        }
    }

    /// The keys of the configuration in force, except for these, which take effect when the server is restarted.
    func waiting(of configuration: Configuration) -> [String] {
        configuration.fixedSettings.filter { $0.value != first.fixedSettings[$0.key] }.keys.sorted()
    }

    /// Asks everything that must not hang for a sign of life. PostgreSQL may hang: restarting the server wouldn't help
    /// then.
    func askForLife() {
        http.askForLife()
        if !isDefining.load(ordering: .relaxed) {
            isWriterAsked.store(true, ordering: .relaxed)
            Task {
                await parts.database.beat()
                isWriterAsked.store(false, ordering: .relaxed)
            }
        }
    }

    /// Whether everything that was asked has given it.
    var isAlive: Bool {
        http.isAlive && (isDefining.load(ordering: .relaxed) || !isWriterAsked.load(ordering: .relaxed))
    }

    /// Counts a configuration that was read.
    /// - Parameter refused: why it is not in force; nil if it is.
    func note(refused: String?) {
        (refused == nil ? parts.metrics.configurations.taken : parts.metrics.configurations.refused).increment()
        state.withLock { $0.refusal = refused }
    }

    /// What it does, in a line for systemd.
    var status: String {
        let (count, refusal) = state.withLock { ($0.application.configuration.tables.count, $0.refusal) }
        let serving = "serving \(count) \(count == 1 ? "table" : "tables")"
        return refusal.map { "\(serving); the newer configuration can't be taken: \($0)" } ?? serving
    }

    /// Ends everything in good order, once no request is under way any more.
    func close() async {
        state.withLock { $0.application.configuration.scripts }?.close()
        // Every write is done by now, so that no notice is still to come.
        await parts.webhooks.close()
        let purging = state.withLock { state in
            state.keyWatch.cancel()
            state.certificateWatch?.cancel()
            state.jobs?.cancel()
            return state.purging
        }
        purging.cancel()
        counting.cancel()
        recording.cancel()
        watchingClocks.cancel()
        await purging.value
        await recording.value
        await watchingClocks.value
        await parts.state.devices?.flush(isLast: true)
        await parts.database.close()
    }

    private static func purge(
        _ configuration: Configuration, _ parts: ServerParts, _ clocks: ClockMonitor
    ) -> Task<Void, Never> {
        Task { [keep = configuration.tombstones] in
            await TombstoneSchedule(keep: keep, present: { await clocks.present() }, logger: parts.logger)
                .run(on: parts.database.store)
        }
    }
}

extension Configuration {
    /// What counts at the start alone, by its key.
    fileprivate var fixedSettings: [String: String] {
        [
            "host": host, "port": "\(port)", "tls": scheme, "reusePort": "\(reusePort)", "database.url": "\(database)",
            "log.slowMilliseconds": "\(log.slowMilliseconds)", "database.connections": "\(databaseConnections)",
            "database.transactionPooler": "\(hasTransactionPooler)",
        ]
    }

    fileprivate func defines(otherTablesThan other: Configuration) -> Bool {
        tables != other.tables || autoCreateTables != other.autoCreateTables
            || limits.clients != other.limits.clients
    }
}
