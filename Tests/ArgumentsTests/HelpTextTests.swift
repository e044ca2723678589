import Testing

@testable import Arguments

@Suite("Help")
struct HelpTextTests {
    @Test func `a command's help has its arguments and options, with defaults and values`() async {
        #expect(
            await Tool().answer(["copy", "--help"]).output == """
                OVERVIEW: Copies.

                One paragraph.

                Another.

                USAGE: tool copy <from> [<rest> ...] --into <place> [--times <count>] [--tag <name> ...] \
                [--levels <level> ...] [--force] [--never] [--folder <dir>] [--level <level>]

                ARGUMENTS:
                  <from>                  What to copy.
                  <rest>                  More of it.

                OPTIONS:
                  --into <place>          Where it goes.
                  --times <count>         How often. (default: 1)
                  --tag <name>            May be repeated.
                  --levels <level>        May be repeated. (values: low, middle, high)
                  --force                 Even where something is there.
                  --never                 Not at all.
                  --folder <dir>          Where things lie.
                  --level <level>         How loud. (values: low, middle, high; default: low)
                  --version               Show the version.
                  -h, --help              Show help information.


                """)
    }

    @Test func `a program's help lists the commands, but for help`() async {
        #expect(
            await Tool().answer(["--help"]).output == """
                OVERVIEW: Does things.

                More on it.

                USAGE: tool <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  copy                    Copies.
                  box                     Tends boxes.

                  See 'tool help <subcommand>' for detailed help.

                """)
    }

    @Test func `a narrow terminal gets narrow texts, of forty columns at least`() async {
        let narrow = await Tool().answer(["copy", "-h"], width: 40).output
        #expect(narrow.contains("\n  --force                 Even where\n                          something is\n"))
        #expect(await Tool().answer(["copy", "-h"], width: 3).output == narrow)
    }

    @Test(arguments: [
        (21, "  --abcdefghijklmn <value>\n                          Help."), (20, "  --abcdefghijklm <value> Help."),
    ])
    func `a label that leaves no room has a line of its own`(length: Int, line: String) {
        let name = String("abcdefghijklmnopqrstuvwxyz".prefix(length - 7))
        let command = Self.command([.option(name, "value", "Help.", to: \.self)])
        #expect(HelpText(command: command, path: ["x"]).text(width: 80).contains("\n\(line)\n"))
    }

    @Test func `with more than twelve parameters the usage leaves out what need not be there`() {
        let options = (1...12).map { Parameter<String?>.option("o\($0)", "x", "", to: \.self) }
        func usage(_ parameters: [Parameter<String?>]) -> String {
            HelpText(command: Self.command(parameters), path: ["x"]).usage
        }
        #expect(usage(options).hasSuffix(" [--o12 <x>]"))
        #expect(usage(options + [.option("o13", "x", "", to: \.self)]) == "x <options>")
        #expect(usage(options + [.argument("a", "", to: \.self)]) == "x [<options>] [<a>]")
    }

    private static func command(_ parameters: [Parameter<String?>]) -> Command {
        Command("x", "X.", nil, parameters) { _ in }
    }
}
