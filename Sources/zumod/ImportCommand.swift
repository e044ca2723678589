import ArgumentParser
import Foundation
import Operating
import ServerApp
import ServerConfiguration
import Transfer

/// `zumod import`: whole rows from files.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes rows that export wrote, or another server has, with ids, versions, stamps and tombstones.",
        discussion: """
            Each file is checked to its end before anything is written. Tables that the database lacks are made. Files \
            that export did not write work too: one JSON object a line, or comma-separated values under a line of names.

            With --from and --table, copies a table of another Azure-style server through its table API. Such a copy can \
            be stopped and run again: it goes on where it was, and brings what was written since.
            """
    )

    @Argument(help: ArgumentHelp("Files ending in .jsonl or .csv.", valueName: "file"))
    var files: [String] = []

    @Option(help: ArgumentHelp("The server to copy a table from.", valueName: "https://…"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "A field for the requests to that server, or @FILE with one on each line; may be repeated.",
            valueName: "name: value"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "A token for that server, sent as X-ZUMO-AUTH. All users of a machine see what stands in a command line.",
            valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the token. Without either, the environment's ZUMOD_IMPORT_TOKEN counts.",
            valueName: "file"))
    var tokenFile: String?

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
        guard from != nil else {
            if files.isEmpty { throw ValidationError("name a file to import, or a server by --from") }
            if token != nil || tokenFile != nil || !header.isEmpty {
                throw ValidationError("--token, --token-file and --header are for --from")
            }
            return
        }
        if token != nil, tokenFile != nil { throw ValidationError("--token and --token-file exclude each other") }
        if !files.isEmpty { throw ValidationError("files and --from exclude each other") }
        if table == nil { throw ValidationError("name the table to copy with --table") }
        if skipExisting || replace || renew || dryRun {
            throw ValidationError("a copy by --from takes the newer state of each row; no other flag is for it")
        }
    }

    func run() async throws {
        let configuration = try common.configuration()
        if let from, let table { return try await copy(table, from, on: configuration) }
        var options = TableImport.Options()
        options.existing = skipExisting ? .skip : replace ? .replace : .refuse
        options.renews = renew
        options.table = table
        options.isTrial = dryRun
        do throws(CommandFault) {
            try await TableImport(files: files, options: options).run(on: configuration) { print($0) }
        } catch {
            throw Exit.tell(error)
        }
    }

    private func copy(_ table: String, _ server: String, on configuration: Configuration) async throws {
        do throws(CommandFault) {
            let secrets = try RemoteSecrets(
                headers: header, token: token, tokenFile: tokenFile,
                environment: ProcessInfo.processInfo.environment["ZUMOD_IMPORT_TOKEN"])
            let copy = try RemoteImport(of: table, from: server, headers: secrets.headers, token: secrets.token)
            for line in try await copy.run(on: configuration, tell: { Exit.say($0, hasLines: false) }) { print(line) }
        } catch {
            throw Exit.tell(error)
        }
    }
}
