import ArgumentParser
import Operating
import ServerApp

/// `zumod backup`: a copy of a live SQLite database.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Makes a consistent copy of a SQLite database while its server runs.",
        discussion: """
            The copy appears under its name when it is complete and on disk, and nothing is overwritten. On PostgreSQL, \
            says how to call pg_dump instead.
            """
    )

    @Argument(help: "Where the copy goes.") var file: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try common.settings()
        do throws(CommandFault) {
            try await Backup(to: file).run(on: configuration)
            print("copied to \(file)")
        } catch {
            throw Exit.tell(error)
        }
    }
}
