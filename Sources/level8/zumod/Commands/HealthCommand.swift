import Arguments
import ServerApp
import ServerConfiguration

/// `zumod health`: asks a running server whether it is ready.
struct HealthCommand: Sendable {
    var url: String?
    var common = CommonOptions()

    static let command = Command(
        "health", "Asks a running server whether it is ready.",
        discussion: "Ends with 0 when the server answers and reaches its database, else with 69.", HealthCommand(),
        [
            .option(
                "url", "http://host:port", "The server to ask; without it, this machine at the configured port.",
                to: \.url)
        ] + CommonOptions.parameters.within(\.common)
    ) { try $0.run() }

    func run() throws {
        let url = if let url { url } else { try common.settings(without: .hasDefaults).localURL }
        try HealthProbe.ask(url)
        print("ready")
    }
}
