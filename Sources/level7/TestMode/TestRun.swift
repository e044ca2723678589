import Foundation
import HTTPModel
import HTTPServer
import MetricSeries
public import Operating
public import ServerApp
import ServerConfiguration
import ServerLogging
import ServerMetrics
import StoreMetrics
import Tables
import ZumoProtocol

extension Application {
    /// Runs the test server until a signal stops it: everything lives in worlds that can be reset.
    public func runTests() async throws(StartFault) {
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let settings = CurrentLogSettings(configuration.log)
        let log = LineWriter(log: settings)
        defer { log.close(within: 1) }
        let logger = Log(settings, write: log.write)
        if let fault = extensionFaults.first { throw .configuration(fault) }
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.notice("\(note)") }
        logger.warning("this server is for tests: whoever reaches it can reset, freeze and break it (/_test)")
        let registry = MetricRegistry()
        let budget = ByteBudget(BufferLimits.bytes(configuration.limits))
        let metrics = ServerMetrics(version: Release.version, registry: registry, nil, budget, measuring: measured)
        let worlds = try await StartFault.asking(
            await self.worlds(StoreInstrumentation(registry), metrics, budget, logger))
        let server: HTTPServer
        let address: (host: String, port: UInt16)
        do {
            server = try testServer(worlds, budget, registry)
            address = try server.start(at: place)
        } catch {
            await worlds.close()
            throw .configuration("\(error)")
        }
        Self.announce("\(configuration.scheme)://\(Self.authority(of: address))", then: "Ready.")
        await Self.waitAndDrain(server, signals.arrivals, logger) { worlds.hurry() }
        await worlds.close()
        signals.cancel()
        logger.notice("stopped")
    }

    private func worlds(
        _ watch: StoreInstrumentation, _ metrics: ServerMetrics, _ budget: ByteBudget, _ logger: Log
    ) async throws(TableError) -> Worlds {
        let keys = TokenKeys(configuration.auth)
        let databases = try await WorldDatabases(configuration)
        if let prefix = databases.serverPrefix {
            logger.notice("the rows are in databases of the server that are made for the tests: \(prefix)…")
        }
        let factory = WorldFactory(self, databases, keys, watch, metrics, budget, logger)
        do throws(TableError) {
            return try await Worlds(factory)
        } catch {
            await factory.close()
            throw error
        }
    }

    private func testServer(
        _ worlds: Worlds, _ budget: ByteBudget, _ registry: MetricRegistry
    ) throws(ConfigurationFault) -> HTTPServer {
        let control = TestControl(
            worlds: worlds, publicURL: configuration.publicURL, proxies: configuration.trustedProxies)
        let handler = TestServerHandler(
            worlds: worlds, control: control, bodyBytes: configuration.limits.bodyBytes,
            isRemoteAllowed: configuration.isRemoteTestAllowed)
        var limits = limits
        limits.bodyBytes = max(limits.bodyBytes, TestServerHandler.controlBodyBytes)
        limits.faults = handler.faults
        return HTTPServer(
            handler: handler, limits: limits, budget: budget, identity: try configuration.tls?.read(),
            metrics: registry)
    }
}
