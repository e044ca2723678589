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

/// A running server, whose configuration can be replaced.
final class RunningServer: Sendable {
    let http: HTTPServer
    private let parts: ServerParts
    private let handlerSwitch: HandlerSwitch
    private let counting: Task<Void, Never>
    private let recording: Task<Void, Never>
    private let clocks: ClockMonitor
    private let watchingClocks: Task<Void, Never>
    private let log: CurrentLogSettings
    /// The configuration it was started with.
    private let first: Configuration
    private let state: Mutex<State>
    /// Whether tables are being altered, for which the writer thread may take its time.
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
        /// Why the configuration that was read last is not in use.
        var refusal: String?
    }

    /// - Parameters:
    ///   - registry: already used to measure the database.
    ///   - droppedLines: returns the number of dropped log lines.
    ///   - page: the state of the data page.
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
        handlerSwitch = HandlerSwitch(application.handler(of: parts, by: keys))
        let proxies = configuration.trustedProxies
        http = HTTPServer(
            handler: handlerSwitch, limits: application.limits, budget: parts.budget, identity: identity,
            metrics: registry
        ) { peer, fault in
            // Load balancers that check whether the port is open send nothing, again and again.
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

    /// Shows a certificate to new connections.
    private func show(_ identity: TLSIdentity) {
        http.change(to: identity)
        parts.metrics.measure(certificateEnd: identity.validity.upperBound)
    }

    /// Applies a newer certificate as soon as there is one.
    /// - Parameter known: the state of its files when they were read.
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
        assert(first.tls != nil, "only a server that began with a certificate takes another")
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

    /// Switches to another configuration, if possible: it applies to every request that arrives after this returns.
    /// Those in progress finish under the one they began with. Must not be called concurrently.
    /// - Throws: the reason why nothing has changed.
    func take(_ next: Application) async throws(StartFault) {
        assert(!isDefining.load(ordering: .relaxed), "configurations are taken one after another")
        if let fault = next.extensionFaults.first { throw .configuration(fault) }
        let configuration = next.configuration
        // The address stays the one it was started with, whatever the new configuration says.
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
            // Read again, as altering tables may have taken a while. The watch reports it if it can't be read.
            let files = certificate.state()
            if let identity = try? certificate.read() { show(identity) }
            watchCertificate(of: configuration, since: files)
        }
        handlerSwitch.replace(with: next.handler(of: parts, by: keys))
        // Calls in progress end in the old scripts; a request that has the old handler may be about to reach them.
        if let scripts = before.scripts, scripts !== configuration.scripts {
            Task {
                try? await Task.sleep(for: .seconds(1))
                scripts.close()
            }
        }
        state.withLock { state in
            assert(state.application.configuration.tables == before.tables, "no other was taken meanwhile")
            state.application = next
            state.jobs?.cancel()
            // Jobs that run once at the start have run already.
            state.jobs = next.jobs(of: parts, beginning: false)
            state.keyWatch.cancel()
            state.keyWatch = KeyWatcher(keys, logger: parts.logger)
            guard configuration.tombstones != before.tombstones else { return }
            state.purging.cancel()
            state.purging = Self.purge(configuration, parts, clocks)
        }
    }

    /// Returns the changed settings that take effect only when the server is restarted.
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

    /// Whether everything that was asked has responded.
    var isAlive: Bool {
        http.isAlive && (isDefining.load(ordering: .relaxed) || !isWriterAsked.load(ordering: .relaxed))
    }

    /// Counts a configuration that was read.
    /// - Parameter refused: why it is not in use; nil if it is.
    func note(refused: String?) {
        scripts?.note(refusal: refused)
        (refused == nil ? parts.metrics.configurations.taken : parts.metrics.configurations.refused).increment()
        state.withLock { $0.refusal = refused }
    }

    /// The scripts in use; nil if there are none.
    var scripts: ScriptHost? { state.withLock { $0.application.configuration.scripts } }

    /// A line about the server's state, for systemd.
    var status: String {
        let (count, refusal) = state.withLock { ($0.application.configuration.tables.count, $0.refusal) }
        let serving = "serving \(count) \(count == 1 ? "table" : "tables")"
        return refusal.map { "\(serving); the newer configuration can't be taken: \($0)" } ?? serving
    }

    /// Shuts everything down in order, once no request is in progress.
    func close() async {
        scripts?.close()
        // All writes are done by now, so no more notices can come.
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
    /// The settings that only take effect at the start, by key.
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
