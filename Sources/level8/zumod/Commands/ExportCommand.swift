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
            line about each table to standard error. Ends with 65 if anything could not be exported as the server has it, \
            and says what; the files are there even so.
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
        let report = try await export.run(on: configuration)
        // Rows have ids by other programs.
        for line in report.lines + report.notes + report.losses { Exit.say(line, hasLines: false) }
        guard report.losses.isEmpty else { throw CommandEnd.code(Exit.data) }
    }
}
