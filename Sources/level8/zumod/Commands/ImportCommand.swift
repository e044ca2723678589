import Arguments
import Foundation
import ServerApp
import ServerConfiguration
import Transfer

/// `zumod import`: reads complete rows from files.
struct ImportCommand: Sendable {
    var files: [String] = []
    var from: String?
    var header: [String] = []
    var token: String?
    var tokenFile: String?
    var table: String?
    var skipExisting = false
    var replace = false
    var renew = false
    var dryRun = false
    var common = CommonOptions()

    static let command = Command(
        "import", "Takes rows that export wrote, or another server has, with ids, versions, stamps and tombstones.",
        discussion: """
            Each file is checked to its end before anything is written. Tables that the database lacks are made. Files \
            that export did not write work too: one JSON object a line, or comma-separated values under a line of names.

            With --from and --table, copies a table of another Azure-style server through its table API. Such a copy can \
            be stopped and run again: it goes on where it was, and brings what was written since.
            """,
        ImportCommand(), parameters + CommonOptions.parameters.within(\.common),
        check: { try $0.check() }, run: { try await $0.run() })

    private static let parameters: [Parameter<ImportCommand>] = [
        .argument("file", "Files ending in .jsonl or .csv.", of: .file, to: \.files),
        .option("from", "https://…", "The server to copy a table from.", to: \.from),
        .option(
            "header", "name: value",
            "A field for the requests to that server, or @FILE with one on each line; may be repeated.", to: \.header),
        .option(
            "token", "token",
            "A token for that server, sent as X-ZUMO-AUTH. All users of a machine see what stands in a command line.",
            to: \.token),
        .option(
            "token-file", "file",
            "A file that holds the token. Without either, the environment's ZUMOD_IMPORT_TOKEN counts.", of: .file,
            to: \.tokenFile),
        .option("table", "name", "The table of files that don't name theirs (else the file's name).", to: \.table),
        .flag("skip-existing", "Rows that the table has already are kept as they are.", to: \.skipExisting),
        .flag("replace", "Rows that the table has already are replaced.", to: \.replace),
        .flag(
            "renew", "Every row gets a new version and stamp, so that devices that sync with this server get it.",
            to: \.renew),
        .flag("dry-run", "Checks everything and imports nothing.", to: \.dryRun),
    ]

    func check() throws(CommandEnd) {
        if skipExisting, replace { throw .wrongUsage("--skip-existing and --replace exclude each other") }
        guard from != nil else {
            if files.isEmpty { throw .wrongUsage("name a file to import, or a server by --from") }
            if token != nil || tokenFile != nil || !header.isEmpty {
                throw .wrongUsage("--token, --token-file and --header are for --from")
            }
            return
        }
        if token != nil, tokenFile != nil { throw .wrongUsage("--token and --token-file exclude each other") }
        if !files.isEmpty { throw .wrongUsage("files and --from exclude each other") }
        if table == nil { throw .wrongUsage("name the table to copy with --table") }
        if skipExisting || replace || renew || dryRun {
            throw .wrongUsage("a copy by --from takes the newer state of each row; no other flag is for it")
        }
    }

    func run() async throws {
        let configuration = try common.configuration()
        if let from, let table { return try await copy(table, from, on: configuration) }
        var options = TableImport.Options()
        options.skipsExisting = skipExisting
        options.replacesExisting = replace
        options.renews = renew
        options.table = table
        options.isTrial = dryRun
        try await TableImport(files: files, options: options).run(on: configuration) { print($0) }
    }

    private func copy(_ table: String, _ server: String, on configuration: Configuration) async throws {
        let secrets = try RemoteSecrets(
            headers: header, token: token, tokenFile: tokenFile,
            environment: ProcessInfo.processInfo.environment["ZUMOD_IMPORT_TOKEN"])
        let copy = try RemoteImport(of: table, from: server, headers: secrets.headers, token: secrets.token)
        for line in try await copy.run(on: configuration, tell: { Exit.say($0, hasLines: false) }) { print(line) }
    }
}
