import Arguments
import ServerApp

/// `zumod backup`: a copy of a live SQLite database.
struct BackupCommand: Sendable {
    var file = ""
    var common = CommonOptions()

    static let command = Command(
        "backup", "Makes a consistent copy of a SQLite database while its server runs.",
        discussion: """
            The copy appears under its name when it is complete and on disk, and nothing is overwritten. On PostgreSQL, \
            says how to call pg_dump instead.
            """,
        BackupCommand(),
        [.argument("file", "Where the copy goes.", of: .file, to: \.file)] + CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        try await Backup.run(on: try common.settings(), to: file)
        print("copied to \(file)")
    }
}
