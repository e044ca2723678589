import ArgumentParser
import ServerApp

/// `zumod import`: whole rows from files.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes rows back that export wrote, with their ids, versions, stamps and tombstones.",
        discussion: """
            Each file is checked to its end before anything is written. Tables that the database lacks are made. Files \
            that export did not write work too: one JSON object a line, or comma-separated values under a line of names.
            """
    )

    @Argument(help: ArgumentHelp("Files ending in .jsonl or .csv.", valueName: "file"))
    var files: [String] = []

    @Option(help: ArgumentHelp("The table of files that don't name theirs (else the file's name).", valueName: "name"))
    var table: String?

    @Flag(help: "Rows that the table has already are kept as they are.")
    var skipExisting = false

    @Flag(help: "Rows that the table has already are replaced.")
    var replace = false

    @Flag(help: "Every row gets a new version and stamp, so that devices that sync with this server get it.")
    var renew = false

    @Flag(help: "Checks everything and imports nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if skipExisting, replace { throw ValidationError("--skip-existing and --replace exclude each other") }
        if files.isEmpty { throw ValidationError("name a file to import") }
    }

    func run() async throws {
        let configuration = try common.configuration()
        var options = TableImport.Options()
        options.existing = skipExisting ? .skip : replace ? .replace : .refuse
        options.renews = renew
        options.table = table
        options.isTrial = dryRun
        do throws(OperationFault) {
            try await TableImport(files: files, options: options).run(on: configuration) { print($0) }
        } catch {
            throw Exit.tell(error)
        }
    }
}
