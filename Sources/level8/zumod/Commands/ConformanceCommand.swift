import Arguments
package import Conformance
import CurlClient
import Foundation
import Operating
import Transfer

/// `zumod conformance`: checks a server against the rules of the table API.
struct ConformanceCommand: Sendable {
    var against: String?
    var generation: [WireGeneration] = []
    var table = "StringIdRoundTripTableSoftDelete"
    var hardTable = "roundTripTable"
    var guardedTable = "authenticated"
    var columns = ConformanceTarget.usualColumns
    var key: String?
    var masterKey: String?
    var userToken: String?
    var only: [String] = []
    var pageRows = 110
    var timeout = 30
    var format = ReportFormat.text
    var output: String?
    var list = false

    static let command = Command(
        "conformance", "Judges any server of the family by the rules of its table API, from outside.",
        discussion: """
            Makes rows, asks for them and compares. Only the tables that are named are used; rows that are there \
            already stay as they are. Its own rows have ids and texts that begin with zc, and are deleted \
            afterwards; on a table with soft delete their tombstones stay.

            The tables are by default those that the official client suites expect (config/client-suites). Another \
            server needs one table with soft delete (--table) and the names of its columns (--columns); what has no \
            table or column to be tried on is skipped, and the report says why. It needs the program curl.

            Ends with 0 when no check failed, 1 when one did, 64 when the command line or the server lets nothing \
            be tried, 69 when the server can't be reached, 74 when the report can't be written.
            """,
        ConformanceCommand(), parameters, check: { try $0.check() }, run: { try await $0.run() })

    private static let parameters: [Parameter<ConformanceCommand>] = [
        .option(
            "against", "https://…", "The server to judge, with a path where its API is below one.", to: \.against),
        .option("generation", "generation", "v1, v2 or v3; may be repeated (default: v2).", to: \.generation),
        .option("table", "name", "A table with soft delete.", to: \.table),
        .option("hard-table", "name", "A table without soft delete.", to: \.hardTable),
        .option("guarded-table", "name", "A table that only users may read.", to: \.guardedTable),
        .option(
            "columns", "kind=name,…",
            """
            The columns to use, by what they hold: text, number, integer, int64, boolean, date. Leave out what the \
            table lacks, but for text.
            """, to: \.columns),
        .option("key", "key", "The application key (X-ZUMO-APPLICATION), or @FILE with it.", to: \.key),
        .option("master-key", "key", "The master key (X-ZUMO-MASTER), or @FILE with it.", to: \.masterKey),
        .option(
            "user-token", "token",
            """
            A user's token (X-ZUMO-AUTH, or for v3 Authorization: Bearer), or @FILE with it. All users of a machine \
            see what stands in a command line.
            """, to: \.userToken),
        .option(
            "only", "pattern", "Only checks whose id matches: v2/update/* or conflict; may be repeated.", to: \.only),
        .option(
            "page-rows", "count", "How many rows may be made to see a list being cut; 0 for none.", to: \.pageRows),
        .option("timeout", "seconds", "How long an answer may take, in seconds.", to: \.timeout),
        .option("format", "format", "text, json or junit.", to: \.format),
        .option(
            "output", "file", "A new file for the report; else it is on standard output.", of: .file, to: \.output),
        .flag("list", "Says which checks there are and what they ask for, and asks no server.", to: \.list),
    ]

    func check() throws(CommandEnd) {
        if against == nil, !list {
            throw .wrongUsage("name a server by --against, or have the checks listed by --list")
        }
        guard (1...3_600).contains(timeout) else { throw .wrongUsage("--timeout takes 1 to 3600 seconds") }
    }

    private var generations: [WireGeneration] {
        generation.isEmpty ? [.v2] : WireGeneration.allCases.filter { generation.contains($0) }
    }
}

extension ConformanceCommand {
    func run() async throws {
        if list { return say(all: checks) }
        let target = try target
        // Created before the run, which would be in vain if the file couldn't be created.
        var file: OutputFile?
        if let output { file = try OutputFile.begin(output) }
        var client = CurlClient(isForReading: false)
        client.answerSeconds = timeout
        // A report in another format must be alone on standard output.
        let isTold = format == .text || output != nil
        if isTold {
            print(TextReport.opening(address: target.address, table: target.table, generations: generations))
        }
        let report = try await ConformanceRun(target, generations, only: only, transport: client).run { result in
            guard isTold else { return }
            for line in TextReport.lines(of: result) { print(Exit.harmless(line)) }
        }
        print(isTold ? TextReport.summary(of: report) : format.text(of: report), terminator: isTold ? "\n" : "")
        try file?.write(Array(format.text(of: report).utf8))
        try file.take()?.publish()
        if report.failed > 0 { throw CommandEnd.code(1) }
    }

    private var target: ConformanceTarget {
        get throws(CommandFault) {
            try ConformanceTarget(
                address: against ?? "", table: table, hardTable: hardTable, guardedTable: guardedTable,
                columns: columns, key: secret(key), masterKey: secret(masterKey), userToken: secret(userToken),
                pageRows: pageRows)
        }
    }

    /// Returns the word on the command line, or the content of the file that it names.
    private func secret(_ word: String?) throws(CommandFault) -> String? {
        guard let word, word.hasPrefix("@") else { return word }
        return try RemoteSecrets(headers: [], token: nil, tokenFile: String(word.dropFirst()), environment: nil).token
    }

    private var checks: [(id: String, rule: String)] {
        generations.flatMap { generation in
            ConformanceRun.checks(of: generation, only: only).map { check in
                let rules = check.rules(in: generation).joined(separator: ", ")
                return (check.id(on: generation), "\(check.rule) (\(rules))")
            }
        }
    }

    private func say(all checks: [(id: String, rule: String)]) {
        for check in checks { print("\(check.id): \(check.rule)") }
    }
}

extension WireGeneration: ParameterValue {}
extension ReportFormat: ParameterValue {}
