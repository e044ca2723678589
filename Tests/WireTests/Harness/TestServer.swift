import Foundation
import HTTPServer
import Logging
import SQLiteStorage
import TableAPI
import WireTesting

@testable import ServerApp

/// A server of a test's own: a copy of a fixture's configuration, a fresh database file, a free port.
struct TestServer {
    let port: UInt16
    private let server: HTTPServer
    private let store: SQLiteTableStore
    private let folder: String

    /// Starts a server in this process.
    /// - Parameters:
    ///   - fixture: the folder below `Fixture` that holds `tables/`.
    ///   - lines: for the configuration file.
    init(fixture: String = "config", lines: [String] = []) throws {
        let folder = NSTemporaryDirectory() + "zumod-wire-\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.copyItem(atPath: "\(Fixture.path)/\(fixture)/tables", toPath: "\(folder)/tables")
        let settings = ["database: { url: \"sqlite:\(folder)/rows.sqlite3\" }"] + lines
        try Data(settings.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/zumod.yaml"))
        let configuration = try Configuration.read(from: ConfigurationSources(directory: folder))
        let application = Application(configuration)
        self.folder = folder
        store = try application.openStore()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        server = HTTPServer(
            handler: RootHandler(store: store, settings: application.tableSettings, logger: logger),
            limits: application.limits)
        port = try server.start(host: "127.0.0.1", port: 0).port
    }

    /// Ends the server and removes its files.
    func stop() async {
        server.stop()
        await store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a test against a server of its own. The client blocks, so the test gets a thread of its own too.
    static func with<Result: Sendable>(
        fixture: String = "config", lines: [String] = [], _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        let server = try TestServer(fixture: fixture, lines: lines)
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
