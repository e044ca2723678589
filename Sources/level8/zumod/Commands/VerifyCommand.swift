import Arguments
import ServerApp

/// `zumod verify`: checks that a database preserves what sync relies on.
struct VerifyCommand: Sendable {
    var common = CommonOptions()

    static let command = Command(
        "verify", "Reads a whole database and says what in it is not as it has to be, and what to do about it.",
        discussion: """
            Looks at stamps, versions, counters, triggers, indexes, columns and what is in them, and at the file itself on \
            SQLite. Changes nothing; servers may go on writing. Ends with 0 when all is well, else with 65.
            """,
        VerifyCommand(), CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        let configuration = try common.configuration()
        let lines = try await Verification.run(on: configuration)
        for line in lines { print(Exit.harmless(line, hasLines: false)) }
        guard lines.isEmpty else { throw CommandEnd.code(Exit.data) }
        print("ok")
    }
}
