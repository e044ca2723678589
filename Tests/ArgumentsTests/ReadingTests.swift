import Testing

@testable import Arguments

@Suite("Words for parameters")
struct ReadingTests {
    @Test func `what is not given stays as the command begins with it`() async {
        #expect(await Tool.copying() == Tool.Copy(from: "a", into: "b"))
    }

    @Test func `options and arguments may stand in any order`() async {
        let expected = Tool.Copy(from: "a", rest: ["c", "d"], into: "b", times: 3, force: true)
        #expect(await Tool.copying("c", "--times", "3", "d", "--force") == expected)
        #expect(await Tool.copying("--force", "--times=3", "c", "d") == expected)
    }

    @Test func `an option's value may stand behind an equals sign, whatever it holds`() async {
        #expect(await Tool.copying("--into=-x")?.into == "-x")
        #expect(await Tool.copying("--into=c=d")?.into == "c=d")
        #expect(await Tool.copying("--times=-4")?.times == -4)
    }

    @Test func `of a single option the last counts, of a repeated one all do`() async {
        let copy = await Tool.copying("--times", "2", "--tag", "x", "--times", "5", "--tag=y", "--levels", "high")
        #expect(copy?.times == 5)
        #expect(copy?.tags == ["x", "y"])
        #expect(copy?.levels == [.high])
    }

    @Test func `a value that begins with a dash is none, but for the dash alone`() async {
        #expect(await Tool.fault("copy", "a", "--into", "-x") == "Error: Missing value for '--into <place>'")
        #expect(await Tool.copying("--into", "-")?.into == "-")
        #expect(await Tool.copying("-")?.rest == ["-"])
    }

    @Test func `an empty word is a value, nothing behind an equals sign is none`() async {
        #expect(await Tool.copying("--into", "")?.into == "")
        #expect(await Tool.fault("copy", "a", "--into=") == "Error: Missing value for '--into <place>'")
        #expect(await Tool.copying("--into=", "c")?.into == "c")
    }

    @Test func `behind two dashes all words are arguments`() async {
        #expect(await Tool.copying("--", "--force", "--", "-h")?.rest == ["--force", "--", "-h"])
        #expect(await Tool.fault("copy", "a", "--into", "--", "b") == "Error: Missing value for '--into <place>'")
    }

    @Test func `parameters of a part go to that part`() async {
        let shared = await Tool.copying("--folder", "f", "--level", "high")?.shared
        #expect(shared == Tool.Shared(folder: "f", level: .high))
    }

    @Test func `what has no default has to be given, in the order of the declarations`() async {
        #expect(await Tool.fault("copy") == "Error: Missing expected argument '<from>'")
        #expect(await Tool.fault("copy", "a") == "Error: Missing expected argument '--into <place>'")
    }

    @Test func `a word that is none of the values is refused, before anything else is`() async {
        #expect(
            await Tool.fault("copy", "--times", "x", "--nope")
                == "Error: The value 'x' is invalid for '--times <count>'")
        #expect(await Tool.fault("copy", "--times", "1.5", "--help") != nil)
        #expect(
            await Tool.fault("copy", "--level=LOW")
                == "Error: The value 'LOW' is invalid for '--level <level>'. Please provide one of 'low', 'middle' or 'high'."
        )
    }

    @Test func `a flag takes no value`() async {
        let sentence = "Error: The option '--force' does not take any value, but '1' was specified."
        #expect(await Tool.fault("copy", "--force=1") == sentence)
        #expect(await Tool.copying("--force=")?.force == true)
    }

    @Test func `the command's own check comes before unknown words, and stops the run`() async {
        let tool = Tool()
        let answer = await tool.answer(["copy", "a", "--into", "b", "--force", "--never", "--nope"])
        #expect(answer.code == 64)
        #expect(answer.errors.hasPrefix("Error: --force and --never exclude each other\nUsage: tool copy <from> "))
        #expect(tool.copied == nil)
    }

    @Test func `unknown options are told before words that are too many`() async {
        #expect(await Tool.fault("box", "list", "x", "-y") == "Error: Unknown option '-y'")
        #expect(await Tool.fault("box", "list", "x") == "Error: Unexpected argument 'x'")
        #expect(await Tool.fault("box", "list", "x", "", "z") == "Error: 3 unexpected arguments: 'x', '', 'z'")
    }

    @Test(arguments: [
        ("--forc", "--force"), ("--Force", "--force"), ("--tiems=3", "--times"), ("--folders", "--folder"),
        ("--tga", "--tag"), ("--x", "--tag"),
    ])
    func `an unknown option is told with the nearest name, the first of several`(typed: String, meant: String) async {
        let name = typed.prefix { $0 != "=" }
        #expect(
            await Tool.fault("copy", "a", "--into=b", typed)
                == "Error: Unknown option '\(name)'. Did you mean '\(meant)'?")
    }

    @Test func `nothing near is told where four letters differ, and of a letter's option`() async {
        #expect(await Tool.fault("box", "list", "--fxxxxr") == "Error: Unknown option '--fxxxxr'")
        #expect(await Tool.fault("box", "list", "-f") == "Error: Unknown option '-f'")
    }
}
