import Testing

@testable import Arguments

@Suite("Programs")
struct ProgramTests {
    @Test(arguments: [
        ["copy", "--help"], ["copy", "-h"], ["copy", "--help-hidden"], ["copy", "--nope", "x", "-h"],
        ["copy", "--version", "-xh"], ["copy", "a", "--force", "--never", "--help"], ["help", "copy"],
        ["help", "copy", "x"], ["help", "copy", "--help"],
    ])
    func `help is shown wherever it is asked for, whatever else is wrong`(words: [String]) async {
        let answer = await Tool().answer(words)
        #expect(answer.code == 0 && answer.errors == "")
        #expect(answer.output.hasPrefix("OVERVIEW: Copies.\n"))
    }

    @Test(arguments: [[], ["help"], ["help", "nope"], ["nope", "-h"], ["-h", "copy"], ["--"]])
    func `the program's own help is shown where no command is named first`(words: [String]) async {
        let answer = await Tool().answer(words)
        #expect(answer.code == 0 && answer.output.hasPrefix("OVERVIEW: Does things.\n"))
    }

    @Test func `a command that others stand below shows its help`() async {
        for words in [["box"], ["help", "box"], ["box", "--help"]] {
            let answer = await Tool().answer(words)
            #expect(answer.code == 0 && answer.output.hasPrefix("OVERVIEW: Tends boxes.\n"), "\(words)")
        }
    }

    @Test(arguments: [
        ["--version"], ["copy", "--version", "--nope"], ["box", "list", "--version"], ["help", "--version"],
    ])
    func `the version is told everywhere`(words: [String]) async {
        #expect(await Tool().answer(words) == Program.Answer(output: "tool-1.2.3\n"))
    }

    @Test func `behind two dashes nothing asks for help`() async {
        #expect(await Tool.fault("box", "list", "--", "-h") == "Error: Unexpected argument '-h'")
    }

    @Test func `a command is named by the first words alone, letter by letter`() async {
        #expect(await Tool.fault("--force", "copy") == "Error: Unknown option '--force'")
        #expect(await Tool.fault("x", "copy") == "Error: 2 unexpected arguments: 'x', 'copy'")
        #expect(await Tool.fault("--", "copy") == "Error: Unexpected argument 'copy'")
        #expect(await Tool.fault("Copy") == "Error: Unexpected argument 'Copy'")
        #expect(await Tool.fault("box", "copy") == "Error: Unexpected argument 'copy'")
        #expect(await Tool.fault("help", "--nope") == "Error: Unknown option '--nope'")
    }

    @Test func `a fault is told with the parameter and the usage of its command`() async {
        #expect(
            await Tool().answer(["box", "list", "--folder"])
                == Program.Answer(
                    code: 64,
                    errors: """
                        Error: Missing value for '--folder <dir>'
                        Help:  --folder <dir>  Where things lie.
                        Usage: tool box list [--folder <dir>] [--level <level>]
                          See 'tool box list --help' for more information.

                        """))
    }

    @Test(arguments: ["---x", "---", "-=x"])
    func `what can't be an option is told with the usage of the program, before help`(word: String) async {
        #expect(
            await Tool().answer(["box", "list", "--help", word]).errors == """
                Error: Invalid option: \(word)
                Usage: tool <subcommand>
                  See 'tool --help' for more information.

                """)
    }

    @Test func `a command ends by a code of its own, or as wrong usage of the program`() async {
        #expect(await Tool().answer(["copy", "code", "--into=b"]) == Program.Answer(code: 7))
        #expect(await Tool().answer(["copy", "fault", "--into=b"]) == Program.Answer(code: 9))
        let answer = await Tool().answer(["copy", "usage", "--into=b"])
        #expect(answer.code == 64 && answer.errors.hasPrefix("Error: not so\nUsage: tool <subcommand>\n"))
    }
}
