import ArgumentParser
import Operating
import ServerApp
import ServerConfiguration

/// `zumod init`: a configuration to begin with.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a configuration with comments: zumod.yaml, and the table TodoItem with two rows.",
        discussion: "Changes no file that is there; ends with 74 where one is."
    )

    @Argument(help: ArgumentHelp("The directory to write to.", valueName: "dir"))
    var directory = "config"

    func run() throws {
        do throws(CommandFault) {
            for path in try SampleConfiguration.write(to: directory) { print("wrote \(path)") }
        } catch {
            throw Exit.tell(error)
        }
        let option = directory == "config" ? "" : " --config \(directory)"
        print("next: zumod check\(option), then zumod serve\(option)")
    }
}
