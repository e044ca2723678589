import ArgumentParser
import ServerApp
import ServerConfiguration

/// `zumod health`: asks a running server.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks a running server whether it is ready.",
        discussion: "Ends with 0 when the server answers and reaches its database, else with 69."
    )

    @Option(
        help: ArgumentHelp(
            "The server to ask; without it, this machine at the configured port.", valueName: "http://host:port"))
    var url: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let url = try self.url ?? common.settings(without: .hasDefaults).localURL
        do throws(HealthProbe.Fault) {
            try HealthProbe.ask(url)
            print("ready")
        } catch {
            Exit.say("error: \(error)")
            throw Exit.unavailable
        }
    }
}
