import Arguments
import ServerApp
import ServerConfiguration

/// `zumod migrate`: updates the database's schema.
struct MigrateCommand: Sendable {
    var dryRun = false
    var scripts = ScriptOptions()
    var common = CommonOptions()

    static let command = Command(
        "migrate", "Brings the database to this version's schema and to the tables of the configuration.",
        discussion: "serve does the same when it starts, unless it is told --no-migrate.", MigrateCommand(),
        [.flag("dry-run", "Says what would be done, and does nothing.", to: \.dryRun)]
            + ScriptOptions.parameters.within(\.scripts) + CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        var sources = common.sources
        sources.app = scripts.app
        let configuration = try Configuration.read(from: sources, without: .needsDatabase)
        defer { Application(configuration).endScripts() }
        let migration = DatabaseMigration(of: configuration)
        let changes = try await migration.pending()
        for change in changes { print(change) }
        if changes.isEmpty {
            print("nothing to do: the schema is this version's")
        } else if dryRun {
            print("nothing was changed")
        } else {
            try await migration.perform { Exit.say("warning: \($0)") }
            print("done")
        }
    }
}
