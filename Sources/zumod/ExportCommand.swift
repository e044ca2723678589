import ArgumentParser
import Operating
import ServerApp
import Transfer

/// `zumod export`: whole rows to files.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes whole rows, tombstones too, in a form that import takes back exactly.",
        discussion: """
            All tables are read as they are at one moment; servers may go on writing. Rows go to standard output, and a \
            line about each table to standard error.
            """
    )

    @Option(help: ArgumentHelp("A table, in any case; may be repeated. Without it, all.", valueName: "name"))
    var table: [String] = []

    @Option(help: "jsonl, or csv with one table a file.")
    var format = "jsonl"

    @Option(
        help: ArgumentHelp(
            "A file, or with a slash at its end a folder for a file of each table. Nothing is overwritten.",
            valueName: "path"))
    var output: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard TransferFormat(rawValue: format) != nil else {
            throw ValidationError("--format takes jsonl or csv, not `\(format)`")
        }
    }

    func run() async throws {
        let configuration = try common.settings()
        do throws(CommandFault) {
            let export = TableExport(
                tables: table, format: TransferFormat(rawValue: format) ?? .jsonl, output: output)
            for line in try await export.run(on: configuration) { Exit.say(line) }
        } catch {
            throw Exit.tell(error)
        }
    }
}
