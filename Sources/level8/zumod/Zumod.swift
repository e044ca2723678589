import Arguments
import Foundation
import Platform
import ServerApp

/// The program's entry point.
@main
enum Zumod {
    static let program = Program(
        "zumod", "A server for apps written against Azure Mobile Apps: tables over HTTP, kept in SQLite or PostgreSQL.",
        discussion: """
            Exit codes: 0 done, 1 a check of conformance failed, 64 wrong usage, 65 data that can't be taken or that
            verify complains of, 69 database (or, for health and conformance, server) unavailable, 70 a bug in zumod,
            74 a file that can't be read or written, 78 wrong configuration.

            Every setting can also stand in the environment: ZUMOD_DATABASE_URL is the key database.url.
            """,
        version: Release.name, manual: manual,
        [
            ServeCommand.command, InitCommand.command, CheckCommand.command, HealthCommand.command,
            TableCommand.command, TokenCommand.command, UserCommand.command, MigrateCommand.command,
            ExportCommand.command, ImportCommand.command, BackupCommand.command, RestoreCommand.command,
            VerifyCommand.command, ConformanceCommand.command,
        ], tell: Exit.tell)

    /// Runs off the main thread, which commands may block.
    @concurrent static func main() async {
        StandardStreams.fill()
        // A file over a limit of its size is as good as a full disk, and no reason to end without a word.
        signal(SIGXFSZ, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let answer = await program.answer(
            to: Array(CommandLine.arguments.dropFirst()),
            width: environment["COLUMNS"].flatMap { Int($0) } ?? Terminal.columns ?? 80,
            shell: environment["SHELL"] ?? "")
        StandardStreams.complain(answer.errors)
        // Output that could not be written completely is useless as a manual page or a list.
        let isWritten = fflush(nil) == 0 && StandardStreams.answer(answer.output)
        exit(answer.code == 0 && !isWritten ? 74 : answer.code)
    }
}
