import Foundation
import Testing
import WireTesting

/// What the program says of its command lines, as it has been saying it.
@Suite("Command lines", .ownThread)
struct CommandLineTests {
    private struct Case: Decodable, Sendable {
        let arguments: [String]
        let code: Int32
        /// Nil where it is no matter of the command line.
        let output: String?
        /// The command whose help is the output.
        let help: String?
        let errors: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/commands")

    private static func golden(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The commands that have a recorded help, as their names in a row, the program's first.
    private static func commands() throws -> [[String]] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasPrefix("zumod") }.map { $0.dropLast(".txt".count).split(separator: "-").map(String.init) }
    }

    private static func answer(_ words: [String], environment: [String: String] = [:]) throws -> Workplace.Outcome {
        let workplace = try Workplace()
        let process = workplace.process(words, environment: environment)
        for name in ["COLUMNS", "SHELL"] where environment[name] == nil { process.environment?[name] = nil }
        process.standardInput = FileHandle.nullDevice
        return try workplace.run(process)
    }

    /// Runs a body with each of them, four at once.
    private static func each<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Void
    ) async throws {
        _ = try await inParallel(4) { lane in
            for index in stride(from: lane, to: elements.count, by: 4) { try body(elements[index]) }
        }
    }

    @Test func `every recorded command line is answered as it was, on both streams and with its code`() async throws {
        let cases = try JSONDecoder().decode([Case].self, from: Data(Self.golden("cases.json").utf8))
        #expect(cases.count == 126)
        try await Self.each(cases) { recorded in
            let outcome = try Self.answer(recorded.arguments)
            let output = outcome.output.replacing(/zumod-\d+\.\d+\.\d+/, with: "zumod-VERSION")
            #expect(outcome.code == recorded.code, "\(recorded.arguments)")
            #expect(outcome.errors == recorded.errors, "\(recorded.arguments)")
            if let expected = try recorded.help.map({ try Self.golden("\($0).txt") }) ?? recorded.output {
                #expect(output == expected, "\(recorded.arguments)")
            }
        }
    }

    @Test func `each command's help is as it was`() async throws {
        let commands = try Self.commands()
        #expect(commands.count == 26)
        try await Self.each(commands) { command in
            let outcome = try Self.answer(command.dropFirst() + ["--help"])
            #expect(try outcome.output == Self.golden("\(command.joined(separator: "-")).txt"))
            #expect(outcome.code == 0 && outcome.errors == "")
        }
    }

    @Test func `help is as wide as the environment says`() throws {
        for columns in [60, 100] {
            let output = try Self.answer(["verify", "--help"], environment: ["COLUMNS": "\(columns)"]).output
            let longest = output.split(separator: "\n").filter { !$0.hasPrefix("USAGE: ") }.map(\.count).max() ?? 0
            #expect((columns - 5...columns).contains(longest))
        }
    }

    @Test func `bash is offered the recorded words, and paths where a path is meant`() async throws {
        let recorded = try Self.golden("offers.bash.txt")
        let lines = recorded.split(separator: "\n").map { String($0.dropFirst().prefix { $0 != "]" }) }
        #expect(lines.count == 41)
        let workplace = try Workplace()
        try workplace.write(
            try workplace.run("--generate-completion-script", "bash").output
                + """
                compopt() { COMPREPLY=("<$2>"); }
                for line in "$@"; do
                    COMP_LINE=$line COMP_POINT=${#line}
                    _zumod "$ZUMOD"
                    echo "[$line] $(printf '%s\\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\\n' ' ')"
                done

                """, to: "offers")
        let process = workplace.process(["config/offers"] + lines, environment: ["ZUMOD": Workplace.binary.path])
        process.executableURL = URL(filePath: "/bin/bash")
        #expect(try workplace.run(process).output == recorded)
    }

    @Test func `the manual page has each command, and nothing that man complains of`() throws {
        let workplace = try Workplace()
        let page = try workplace.run("--generate-manual").output
        #expect(page.hasPrefix(".TH ZUMOD 1 "))
        let leaves = try Self.commands().map { $0.dropFirst().joined(separator: " ") }
            .filter { !["", "table", "user"].contains($0) }
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SS ") }.map { String($0.dropFirst(4)) }
        #expect(Set(sections) == Set(leaves))
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/man") else { return }
        try workplace.write(page, to: "zumod.1")
        let process = workplace.process(
            ["--warnings", "-l", "config/zumod.1"], environment: ["MANROFFSEQ": "", "MANWIDTH": "80"])
        process.executableURL = URL(filePath: "/usr/bin/man")
        let shown = try workplace.run(process)
        #expect(shown.code == 0 && shown.errors == "")
        #expect(shown.output.contains("SIGHUP"))
    }
}
