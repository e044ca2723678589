import Arguments
import ServerApp
import Transfer

/// `zumod export`: writes complete rows to files.
struct ExportCommand: Sendable {
    var table: [String] = []
    var format = "jsonl"
    var output: String?
    var common = CommonOptions()

    static let command = Command(
        "export", "Writes whole rows, tombstones too, in a form that import takes back exactly.",
        discussion: """
            All tables are read as they are at one moment; servers may go on writing. Rows go to standard output, and a \
            line about each table to standard error.
            """,
        ExportCommand(),
        [
            .option("table", "name", "A table, in any case; may be repeated. Without it, all.", to: \.table),
            .option("format", "format", "jsonl, or csv with one table a file.", to: \.format),
            .option(
                "output", "path",
                "A file, or with a slash at its end a folder for a file of each table. Nothing is overwritten.",
                of: .file, to: \.output),
        ] + CommonOptions.parameters.within(\.common),
        check: { try $0.check() }, run: { try await $0.run() })

    func check() throws(CommandEnd) {
        guard TransferFormat(rawValue: format) != nil else {
            throw .wrongUsage("--format takes jsonl or csv, not `\(format)`")
        }
    }

    func run() async throws {
        let configuration = try common.settings()
        let export = TableExport(tables: table, format: TransferFormat(rawValue: format) ?? .jsonl, output: output)
        for line in try await export.run(on: configuration) { Exit.say(line) }
    }
}
