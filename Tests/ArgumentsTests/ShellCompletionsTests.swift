import Testing

@testable import Arguments

@Suite("Offers to shells")
struct ShellCompletionsTests {
    /// The words that are offered in the place of the last, without their help.
    private func offered(_ words: String...) async -> [String] {
        let answer = await Tool().answer(["--offer"] + words)
        #expect(answer.code == 0 && answer.errors == "")
        return answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func `commands and the program's options, with their help`() async {
        #expect(await offered("") == ["copy", "box", "help", "--version", "-h", "--help"])
        #expect(await Tool().answer(["--offer", "b"]).output == "box\tTends boxes.\n")
        #expect(await offered("box", "") == ["list", "--version", "-h", "--help"])
    }

    @Test func `options where no argument can stand, and where a dash is typed`() async {
        let own = ["--into", "--times", "--tag", "--levels", "--force", "--never", "--folder", "--level"]
        #expect(await offered("copy", "-") == own + ["--version", "-h", "--help"])
        #expect(await offered("box", "list", "") == ["--folder", "--level", "--version", "-h", "--help"])
        #expect(await offered("box", "list", "--f") == ["--folder"])
    }

    @Test func `a flag once, an option again`() async {
        let offers = await offered("copy", "--force", "--into", "x", "--")
        #expect(!offers.contains("--force") && offers.contains("--never") && offers.contains("--into"))
    }

    @Test func `the words that a value may be, or what kind of path`() async {
        #expect(await offered("copy", "--level", "") == ["low", "middle", "high"])
        #expect(await offered("copy", "--levels", "low", "--levels", "h") == ["high"])
        #expect(await offered("copy", "--folder", "x") == [":folder"])
        #expect(await offered("copy", "") == [":file"])
        #expect(await offered("copy", "a", "b", "c") == [":file"])
        #expect(await offered("copy", "--into", "") == [])
    }

    @Test func `behind two dashes arguments alone`() async {
        #expect(await offered("copy", "--", "-") == [":file"])
        #expect(await offered("box", "list", "--", "") == [])
    }

    @Test func `help offers the commands that it can show`() async {
        #expect(await offered("help", "") == ["copy", "box"])
        #expect(await offered("help", "box", "l") == ["list"])
        #expect(await offered("help", "copy", "") == [])
        #expect(await offered("help", "nope", "") == [])
    }

    @Test func `nothing is done, whatever the words`() async {
        let tool = Tool()
        _ = await tool.answer(["--offer", "copy", "a", "--into", "b"])
        #expect(tool.copied == nil)
    }
}
