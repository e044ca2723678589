import Arguments
import Operating
import ServerApp
import ServerConfiguration

/// `zumod check`: reads everything and changes nothing.
struct CheckCommand: Sendable {
    var scripts = ScriptOptions()
    var common = CommonOptions()

    static let command = Command(
        "check", "Reads configuration and database and says what is wrong, with file, line and key.",
        discussion: "Ends with 0 when a server would start, else with 78. Changes nothing.", CheckCommand(),
        ScriptOptions.parameters.within(\.scripts) + CommonOptions.parameters.within(\.common)
    ) { command throws(CommandEnd) in try await command.run() }

    func run() async throws(CommandEnd) {
        var sources = common.sources
        sources.app = scripts.app
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(from: sources, without: .servesSample)
        } catch {
            throw Exit.tell(error)
        }
        for warning in configuration.warnings { Exit.say("warning: \(warning)") }
        for explanation in configuration.explanations { print("note: \(explanation)") }
        for note in configuration.notes { print("note: \(note)") }
        let application = Application(configuration)
        defer { application.endScripts() }
        for exposure in application.fileExposures { Exit.say("warning: \(exposure)") }
        do throws(StartFault) {
            let tables = try await application.check()
            for line in tables { print(line) }
            for line in application.scriptLines { print(line) }
            print("ok: \(tables.count) \(tables.count == 1 ? "table" : "tables")")
        } catch {
            _ = Exit.tell(error)
            throw Exit.configuration
        }
    }
}
