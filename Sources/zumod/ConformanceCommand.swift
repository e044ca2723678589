public import ArgumentParser
public import Conformance
import CurlClient
import Foundation
import Operating
import Transfer

/// `zumod conformance`: judges a server by the rules of the table API.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Judges any server of the family by the rules of its table API, from outside.",
        discussion: """
            Makes rows, asks for them and compares. Only the tables that are named are used; rows that are there \
            already stay as they are. Its own rows have ids and texts that begin with zc, and are deleted \
            afterwards; on a table with soft delete their tombstones stay.

            The tables are by default those that the official client suites expect (config/client-suites). Another \
            server needs one table with soft delete (--table) and the names of its columns (--columns); what has no \
            table or column to be tried on is skipped, and the report says why. It needs the program curl.

            Ends with 0 when no check failed, 1 when one did, 64 when the command line or the server lets nothing \
            be tried, 69 when the server can't be reached, 74 when the report can't be written.
            """
    )

    @Option(help: ArgumentHelp("The server to judge, with a path where its API is below one.", valueName: "https://…"))
    var against: String?

    @Option(help: ArgumentHelp("v1, v2 or v3; may be repeated (default: v2).", valueName: "generation"))
    var generation: [WireGeneration] = []

    @Option(help: ArgumentHelp("A table with soft delete.", valueName: "name"))
    var table = "StringIdRoundTripTableSoftDelete"

    @Option(help: ArgumentHelp("A table without soft delete.", valueName: "name"))
    var hardTable = "roundTripTable"

    @Option(help: ArgumentHelp("A table that only users may read.", valueName: "name"))
    var guardedTable = "authenticated"

    @Option(
        help: ArgumentHelp(
            "The columns to use, by what they hold: text, number, integer, int64, boolean, date. Leave out what the "
                + "table lacks, but for text.",
            valueName: "kind=name,…"))
    var columns = ConformanceTarget.usualColumns

    @Option(help: ArgumentHelp("The application key (X-ZUMO-APPLICATION), or @FILE with it.", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("The master key (X-ZUMO-MASTER), or @FILE with it.", valueName: "key"))
    var masterKey: String?

    @Option(
        help: ArgumentHelp(
            "A user's token (X-ZUMO-AUTH, or for v3 Authorization: Bearer), or @FILE with it. All users of a machine "
                + "see what stands in a command line.",
            valueName: "token"))
    var userToken: String?

    @Option(
        help: ArgumentHelp(
            "Only checks whose id matches: v2/update/* or conflict; may be repeated.", valueName: "pattern"))
    var only: [String] = []

    @Option(help: ArgumentHelp("How many rows may be made to see a list being cut; 0 for none.", valueName: "count"))
    var pageRows = 110

    @Option(help: ArgumentHelp("How long an answer may take, in seconds.", valueName: "seconds"))
    var timeout = 30

    @Option(help: ArgumentHelp("text, json or junit.", valueName: "format"))
    var format = ReportFormat.text

    @Option(help: ArgumentHelp("A new file for the report; else it is on standard output.", valueName: "file"))
    var output: String?

    @Flag(help: "Says which checks there are and what they ask for, and asks no server.")
    var list = false

    func validate() throws {
        if against == nil, !list {
            throw ValidationError("name a server by --against, or have the checks listed by --list")
        }
        guard (1...3_600).contains(timeout) else { throw ValidationError("--timeout takes 1 to 3600 seconds") }
    }

    private var generations: [WireGeneration] {
        generation.isEmpty ? [.v2] : WireGeneration.allCases.filter { generation.contains($0) }
    }
}

extension ConformanceCommand {
    func run() async throws {
        if list { return say(all: checks) }
        let target: ConformanceTarget
        // Begun before the run, which would be for nothing if the file couldn't be made.
        var file: OutputFile?
        do throws(CommandFault) {
            target = try self.target
            if let output { file = try OutputFile.begin(output) }
        } catch {
            throw Exit.tell(error)
        }
        var client = CurlClient(isForReading: false)
        client.answerSeconds = timeout
        let report: ConformanceReport
        do throws(ConformanceRun.Fault) {
            // A report of another form on standard output stands there alone.
            let isTold = format == .text || output != nil
            if isTold {
                print(TextReport.opening(address: target.address, table: target.table, generations: generations))
            }
            report = try await ConformanceRun(target, generations, only: only, transport: client).run { result in
                guard isTold else { return }
                for line in TextReport.lines(of: result) { print(Exit.harmless(line)) }
            }
            print(isTold ? TextReport.summary(of: report) : format.text(of: report), terminator: isTold ? "\n" : "")
        } catch {
            switch error {
            case .unreachable(let sentence):
                Exit.say("error: \(sentence)", hasLines: false)
                throw Exit.unavailable
            case .unusable(let sentence), .nothingToDo(let sentence):
                Exit.say("error: \(sentence)", hasLines: false)
                throw Exit.usage
            }
        }
        do throws(CommandFault) {
            try file?.write(Array(format.text(of: report).utf8))
            try file.take()?.publish()
        } catch {
            throw Exit.tell(error)
        }
        if report.failed > 0 { throw ExitCode(1) }
    }

    private var target: ConformanceTarget {
        get throws(CommandFault) {
            try ConformanceTarget(
                address: against ?? "", table: table, hardTable: hardTable, guardedTable: guardedTable,
                columns: columns, key: secret(key), masterKey: secret(masterKey), userToken: secret(userToken),
                pageRows: pageRows)
        }
    }

    /// What stands in the command line, or in the file that it names.
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

extension WireGeneration: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
