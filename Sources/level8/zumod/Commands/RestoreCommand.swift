import Arguments
import ServerApp

/// `zumod restore`: restores a database from a backup.
struct RestoreCommand: Sendable {
    var file: String?
    var common = CommonOptions()

    static let command = Command(
        "restore", "Brings a database back from a backup, so that devices can go on with it.",
        discussion: """
            On SQLite, puts the copy where the database was, which is moved away before: nothing is overwritten. On \
            PostgreSQL, run pg_restore first, and then this without a file.

            Devices have seen versions, and ids of numbered tables, from the time after the backup. So that none is \
            given a second time, their counters move on. The server is stopped meanwhile.
            """,
        RestoreCommand(),
        [.argument("file", "The copy that zumod backup made; none on PostgreSQL.", of: .file, to: \.file)]
            + CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        print(try await Restore.run(on: try common.settings(), from: file))
    }
}
