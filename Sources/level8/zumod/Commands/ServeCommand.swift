import Arguments
import Foundation
import ServerApp
import ServerConfiguration
import TestMode

/// `zumod serve`: runs the server.
struct ServeCommand: Sendable {
    var noMigrate = false
    var test = false
    var scripts = ScriptOptions()
    var common = CommonOptions()

    static let command = Command(
        "serve", "Serves until SIGTERM or SIGINT, then lets requests in flight finish; a second signal stops at once.",
        discussion: """
            SIGHUP has it read its configuration again. Prints one line when it is ready: zumod listening on http://HOST:PORT. Logs go to standard error. Where there \
            is no configuration it serves the sample table TodoItem; see init.
            """,
        ServeCommand(),
        [
            .flag(
                "no-migrate", "Doesn't change the database's schema; ends with 78 where it is behind. See migrate.",
                to: \.noMigrate),
            .flag(
                "test",
                """
                Serves tests of clients: rows in memory, worlds, resets, a clock and faults at /_test, open to all who reach \
                it (or ZUMOD_TEST=true). See docs/testing.md.
                """, to: \.test),
        ] + ScriptOptions.parameters.within(\.scripts) + CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        let socket = try InheritedSocket.find(in: ProcessInfo.processInfo.environment)
        var sources = common.sources.listening(on: socket)
        sources.isTest = test
        sources.app = scripts.app
        let reading = ConfigurationReading(sources, without: .servesSample)
        let configuration = try reading.read()
        let application = Application(configuration, reading: reading, socket: socket)
        if configuration.isTest {
            try await application.runTests()
        } else {
            try await application.run(migrates: !noMigrate)
        }
    }
}
