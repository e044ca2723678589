import Arguments
import ServerApp
import ServerConfiguration

/// `zumod init`: writes a configuration to start with.
struct InitCommand: Sendable {
    var directory = "config"

    static let command = Command(
        "init", "Writes a configuration with comments: zumod.yaml, and the table TodoItem with two rows.",
        discussion: "Changes no file that is there; ends with 74 where one is.", InitCommand(),
        [.argument("dir", "The directory to write to.", of: .folder, to: \.directory)]
    ) { try $0.run() }

    func run() throws {
        for path in try SampleConfiguration.write(to: directory) { print("wrote \(path)") }
        let option = directory == "config" ? "" : " --config \(directory)"
        print("next: zumod check\(option), then zumod serve\(option)")
    }
}
