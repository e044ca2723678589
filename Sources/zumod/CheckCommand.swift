import ArgumentParser
import ServerApp

/// `zumod check`: reads everything and changes nothing.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads configuration and database and says what is wrong, with file, line and key.",
        discussion: "Ends with 0 when a server would start, else with 78. Changes nothing."
    )

    @OptionGroup var common: CommonOptions

    func run() async throws {
        do throws(ConfigurationFaults) {
            let configuration = try Configuration.read(from: common.sources)
            for note in configuration.notes { print("note: \(note)") }
        } catch {
            throw Exit.tell(error)
        }
    }
}
