import Foundation
import Testing

@testable import Arguments

@Suite("Scripts for shells")
struct ShellTests {
    @Test(arguments: Shell.allCases)
    func `a shell takes its script`(shell: Shell) async throws {
        let answer = await Tool().answer(["--generate-completion-script", shell.rawValue])
        #expect(answer.code == 0 && answer.output.contains("tool") && answer.output.contains(" --offer "))
        #expect(await Tool().answer(["copy", "--generate-completion-script=\(shell.rawValue)", "--nope"]) == answer)
        // Only bash is on every system.
        let paths = ["/usr/bin", "/bin"].map { "\($0)/\(shell.rawValue)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            #expect(shell != .bash)
            return
        }
        #expect(try said(path, ["-n", "/dev/stdin"], answer.output) == "")
    }

    @Test(arguments: [
        ("tool ", ["copy", "box", "help", "--version", "-h", "--help"]), ("tool b", ["box"]),
        ("tool box list --f", ["--folder"]), ("tool copy --level ", ["low", "middle", "high"]),
        ("tool copy --tag a:b=c --level=x --lev", ["--levels", "--level"]), ("tool copy --into ", []),
        ("tool copy a", []),
    ])
    func `bash offers what the program says`(line: String, offers: [String]) async throws {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let script = await Tool().answer(["--generate-completion-script", "bash"]).output
        let lines = await Tool().answer(["--offer"] + words).output
        // The function asks `tool`, which stands for the program.
        let said = try said(
            "/bin/bash", ["-s", "--", line, "\(words.count)", lines],
            """
            \(script)
            asked=$3 expected=$2
            tool() { [[ $# == $((expected + 1)) && $1 == --offer ]] && printf '%s' "$asked"; }
            COMP_LINE=$1 COMP_POINT=${#1}
            _tool tool
            [[ -n ${COMPREPLY[*]} ]] && printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(said.split(separator: "\n").map(String.init) == offers)
    }

    @Test func `without a name the script is for the caller's own shell, where it is one of these`() async {
        let answer = await Tool().answer(["--generate-completion-script"], shell: "/usr/bin/zsh")
        #expect(answer.code == 0 && answer.output.hasPrefix("#compdef tool\n"))
        #expect(await Tool().answer(["--generate-completion-script"], shell: "/bin/dash").code == 64)
    }

    @Test func `a shell that is none of these is told with those that are`() async {
        #expect(
            await Tool().answer(["copy", "--generate-completion-script", "tcsh"]).errors == """
                Error: Can't generate completion scripts for 'tcsh'.
                Please use --generate-completion-script=<shell> with one of:
                    zsh bash fish
                Usage: tool <subcommand>
                  See 'tool --help' for more information.

                """)
        #expect(
            await Tool.fault("--generate-completion-script") == "Error: Can't autodetect a supported shell.")
    }

    /// What a program says of a text on its standard input, on both streams.
    private func said(_ path: String, _ arguments: [String], _ text: String) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
