import ArgumentParser
import ServerApp

/// The program's front door.
@main
struct Zumod: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zumod",
        abstract:
            "A server for apps written against Azure Mobile Apps: tables over HTTP, kept in SQLite or PostgreSQL.",
        discussion: """
            Exit codes: 0 done, 1 a check of conformance failed, 64 wrong usage, 65 data that can't be taken or that
            verify complains of, 69 database (or, for health and conformance, server) unavailable, 70 a bug in zumod,
            74 a file that can't be read or written, 78 wrong configuration.

            Every setting can also stand in the environment: ZUMOD_DATABASE_URL is the key database.url.
            """,
        version: Release.name,
        subcommands: [
            ServeCommand.self, InitCommand.self, CheckCommand.self, HealthCommand.self, TableCommand.self,
            TokenCommand.self, UserCommand.self, MigrateCommand.self, ExportCommand.self, ImportCommand.self,
            BackupCommand.self, RestoreCommand.self, VerifyCommand.self, ConformanceCommand.self,
        ]
    )
}
