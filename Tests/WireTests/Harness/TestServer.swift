import Foundation
import HTTPServer
import Logging
import TableAPI
import Tables
import WireTesting

@testable import ServerApp

/// A server of a test's own: a copy of a fixture's configuration, a fresh database, a free port.
struct TestServer {
    let port: UInt16
    /// The users of the server's own login.
    let users: any UserStore
    private let server: HTTPServer
    private let database: Database
    private let place: TestDatabase.Place
    private let folder: String

    /// Starts a server in this process.
    /// - Parameters:
    ///   - fixture: the folder below `Fixture` that holds `tables/`.
    ///   - lines: for the configuration file.
    ///   - files: more files of the configuration, by their paths in it.
    init(
        on kind: TestDatabase, fixture: String = "config", lines: [String] = [], files extra: [String: String] = [:]
    ) async throws {
        let folder = NSTemporaryDirectory() + "zumod-wire-\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.copyItem(atPath: "\(Fixture.path)/\(fixture)/tables", toPath: "\(folder)/tables")
        place = try kind.place(in: folder)
        let settings = ["database: { url: \"\(place.url)\" }"] + lines
        try Data(settings.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/zumod.yaml"))
        for (name, text) in extra { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        let configuration = try Configuration.read(from: ConfigurationSources(directory: folder))
        let application = Application(configuration)
        self.folder = folder
        database = try await Database.open(configuration)
        users = database.users
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let keys = try Keys(configuration.auth)
        server = HTTPServer(handler: application.handler(over: database, keys, logger), limits: application.limits)
        port = try server.start(host: "127.0.0.1", port: 0).port
    }

    /// Ends the server and removes its files.
    func stop() async {
        server.stop()
        await database.close()
        place.remove()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a test against a server of its own. The client blocks, so the test gets a thread of its own too.
    static func with<Result: Sendable>(
        on kind: TestDatabase, fixture: String = "config", lines: [String] = [], files: [String: String] = [:],
        _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        await kind.turns.take()
        defer { kind.turns.giveBack() }
        let server = try await TestServer(on: kind, fixture: fixture, lines: lines, files: files)
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
