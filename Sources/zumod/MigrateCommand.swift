import ArgumentParser
import Operating
import ServerApp

/// `zumod migrate`: the database's schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database to this version's schema and to the tables of the configuration.",
        discussion: "serve does the same when it starts, unless it is told --no-migrate."
    )

    @Flag(help: "Says what would be done, and does nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let migration = Migration(of: try common.configuration())
        do throws(StartFault) {
            let changes = try await migration.pending()
            for change in changes { print(change) }
            if changes.isEmpty {
                print("nothing to do: the schema is this version's")
            } else if dryRun {
                print("nothing was changed")
            } else {
                try await migration.perform()
                print("done")
            }
        } catch {
            throw Exit.tell(error)
        }
    }
}
