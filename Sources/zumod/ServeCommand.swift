import ArgumentParser
import ServerApp

/// `zumod serve`: the server itself.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves until SIGTERM or SIGINT, then lets requests in flight finish; a second signal stops at once.",
        discussion: """
            SIGHUP has it read its configuration again. Prints one line when it is ready: zumod listening on http://HOST:PORT. Logs go to standard error. Where there \
            is no configuration it serves the sample table TodoItem; see init.
            """
    )

    @Flag(help: "Doesn't change the database's schema; ends with 78 where it is behind. See migrate.")
    var noMigrate = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try common.configuration(without: .servesSample)
        do throws(Application.Fault) {
            let reading = ConfigurationReading(common.sources, without: .servesSample)
            try await Application(configuration, reading: reading).run(migrates: !noMigrate)
        } catch {
            throw Exit.tell(error)
        }
    }
}
