import CustomAPI
import DeviceRecording
import Foundation
import HTTPModel
import HTTPServer
import MetricSeries
import Scripts
import ServerConfiguration
import ServerLogging
import ServerMetrics
import StoreMetrics
import Tables
import Webhooks
import WireTesting

@testable import ServerApp

/// A server of a test's own: a copy of a fixture's configuration, a fresh database, a free port.
struct TestServer {
    let port: UInt16
    private let parts: ServerParts
    private let server: HTTPServer
    /// What is seen of installations, and written once a test has it do so.
    let recorder: DeviceRecorder
    private let place: TestDatabase.Place
    private let folder: String
    private let scripts: ScriptHost?

    /// Starts a server in this process.
    /// - Parameters:
    ///   - fixture: the folder below `Fixture` that holds `tables/`, or the path of a whole configuration.
    ///   - lines: for the configuration file, after those that it has.
    ///   - files: more files of the configuration, by their paths in it.
    ///   - parts: the tables and APIs of the fixture that are served; nil for all.
    ///   - extensions: what a program adds to the server.
    ///   - clock: tells the server which rows have expired.
    ///   - statements: hears of statements to the database.
    ///   - isApart: whether its database is made anew: copies have one secret.
    ///   - listTime: how long a list may take; nil for as long as usual.
    init(
        on kind: TestDatabase, fixture: String = "config", lines: [String] = [], files extra: [String: String] = [:],
        parts: FixtureParts? = nil, extensions: Extensions = Extensions(), clock: @escaping Clock = SystemClock.now,
        statements: (any StatementLog)? = nil, isApart: Bool = false, listTime: Duration? = nil
    ) async throws {
        let source = fixture.hasPrefix("/") ? fixture : "\(Fixture.path)/\(fixture)"
        let settings = lines.joined(separator: "\n")
        let folder = try Self.folder(of: source, settings: settings, files: extra, parts: parts)
        let template =
            isApart
            ? nil
            : try await Templates.template(
                on: kind, of: source, settings: settings, files: extra, parts: parts)
        place = try await kind.place(in: folder, like: template)
        let configuration = try await Self.configuration(in: folder, on: place)
        let application = Application(configuration, extensions: extensions)
        scripts = configuration.scripts
        self.folder = folder
        // A busy machine takes its time to prepare a database.
        let registry = MetricRegistry()
        let database = try await Database.open(
            configuration, isPatient: true, listTime: listTime,
            watch: StoreInstrumentation(registry, log: statements))
        recorder = DeviceRecorder(database.store, clock: clock, .silent)
        self.parts = ServerParts(
            application, over: database, measuredBy: registry, within: ByteBudget(512 << 20),
            keeping: ServerRuntimeState(configuration.limits, .silent, devices: recorder), patience: .seconds(60),
            clock: clock, .silent)
        server = HTTPServer(
            handler: application.handler(of: self.parts, by: TokenKeys(configuration.auth)), limits: application.limits,
            budget: self.parts.budget, metrics: registry)
        port = try server.start(host: "127.0.0.1", port: 0).port
    }

    /// The users of the server's own login.
    var users: any UserStore { parts.database.users }
    /// The tables, beside what the server does with them.
    var store: any TransferStore { parts.database.store }
    /// Counts rows where a test has it do so.
    var census: RowCounter? { parts.metrics.census }
    /// Where what was seen of installations is written.
    var devices: any DeviceStore { parts.database.store }

    /// A folder of a test's own with a configuration. What a test adds nothing to is a link: to copy it for each of a
    /// thousand servers takes longer than to read it.
    /// - Parameters:
    ///   - settings: behind those that it has.
    ///   - extra: more files, by their paths in it.
    ///   - parts: the tables and APIs that it has; nil for all.
    static func folder(
        of fixture: String, settings: String, files extra: [String: String] = [:], parts: FixtureParts? = nil
    ) throws -> String {
        let files = FileManager.default
        let folder = NSTemporaryDirectory() + "zumod-wire-\(UUID().uuidString)"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for name in try files.contentsOfDirectory(atPath: fixture) {
            let (from, to) = ("\(fixture)/\(name)", "\(folder)/\(name)")
            if let parts, FixtureParts.folders.contains(name) {
                try parts.copy(from, to: to)
            } else if ["tables", "apis"].contains(name), !extra.keys.contains(where: { $0.hasPrefix("\(name)/") }) {
                try files.createSymbolicLink(atPath: to, withDestinationPath: from)
            } else {
                try files.copyItem(atPath: from, toPath: to)
            }
        }
        var own = (try? Fixture.text(of: "\(folder)/zumod.yaml")) ?? ""
        // Each worker is a process that reads the scripts; one does for who asks one thing after the other.
        if !(own + settings).contains("scripts:") { own += "\nscripts: { workers: 1 }\n" }
        try Data((own + settings).utf8).write(to: URL(fileURLWithPath: "\(folder)/zumod.yaml"))
        for (name, text) in extra { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        return folder
    }

    /// Reads the configuration of a folder, on a thread of its own: where there are scripts it waits for a process.
    static func configuration(in folder: String, on place: TestDatabase.Place) async throws -> Configuration {
        let database = ConfigurationSources.Flag("--database", key: "database.url", value: place.url)
        return try await withCheckedContinuation { continuation in
            let sources = ConfigurationSources(directory: folder, flags: [database])
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result { () throws(ConfigurationFaults) in try Configuration.read(from: sources) })
            }
        }.get()
    }

    /// Ends the server and removes its files.
    func stop() async {
        server.stop()
        scripts?.close()
        await parts.webhooks.close()
        await parts.database.close()
        place.remove()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a test against a server of its own. The client blocks, so the test gets a thread of its own too.
    static func with<Result: Sendable>(
        on kind: TestDatabase, fixture: String = "config", lines: [String] = [], files: [String: String] = [:],
        parts: FixtureParts? = nil, extensions: Extensions = Extensions(), clock: @escaping Clock = SystemClock.now,
        statements: (any StatementLog)? = nil, isApart: Bool = false, listTime: Duration? = nil,
        _ body: @concurrent @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        await kind.turns.take()
        defer { kind.turns.giveBack() }
        let server = try await TestServer(
            on: kind, fixture: fixture, lines: lines, files: files, parts: parts, extensions: extensions, clock: clock,
            statements: statements, isApart: isApart, listTime: listTime)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await withTaskExecutorPreference(OwnThread()) { try await body(server) })
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }
}

extension Log {
    /// A log that writes nothing, and is asked for nothing but the worst.
    static var silent: Log {
        var settings = LogSettings()
        settings.level = .critical
        return Log(CurrentLogSettings(settings)) { _ in }
    }
}
