/// A program: its commands, and its description.
package struct Program: Sendable {
    private let root: Command
    private let version: String
    private let manual: ManualPage
    private let tell: @Sendable (any Error) -> Int32

    /// - Parameters:
    ///   - version: the name, a hyphen and the number.
    ///   - commands: the commands in the order of the help.
    ///   - tell: prints why a command failed, and returns the exit code.
    package init(
        _ name: String, _ abstract: String, discussion: String, version: String, manual: ManualPage,
        _ commands: [Command], tell: @escaping @Sendable (any Error) -> Int32
    ) {
        root = Command(name, abstract, discussion: discussion, commands + [.help])
        self.version = version
        self.manual = manual
        self.tell = tell
    }

    /// How a run of the program ended, with the remaining text for each stream.
    package struct Answer: Equatable, Sendable {
        package var code: Int32 = 0
        package var output = ""
        package var errors = ""
    }

    /// Runs what the words of the command line ask for.
    /// - Parameters:
    ///   - words: the command line, without the program's name.
    ///   - width: the width of the terminal in columns; help uses at least forty.
    ///   - shell: the path of the caller's shell; empty if unknown.
    package func answer(to words: [String], width: Int, shell: String) async -> Answer {
        if words.first == ShellCompletions.option {
            return Answer(output: ShellCompletions.text(for: words.dropFirst(), of: root))
        }
        if words.first == ManualPage.option { return Answer(output: manual.text(of: root, version: version)) }
        // A fault is reported with the usage of the command in which it is found.
        var found = (command: root, path: [root.name])
        do throws(EarlyExit) {
            let split = try Word.split(words)
            let asked = try Shell.asked(in: split, usual: shell)
            if let asked { return Answer(output: asked.script(for: root.name)) }
            found = root.command(at: words, below: found.path)
            try await found.command.perform(Array(split.dropFirst(found.path.count - 1)))
            return Answer()
        } catch {
            switch error {
            case .help(let names):
                if let names { found = root.command(at: names, below: [root.name]) }
                let help = HelpText(command: found.command, path: found.path)
                return Answer(output: help.text(width: min(max(width, 40), 10_000)))
            case .version: return Answer(output: "\(version)\n")
            case .fault(let fault): return Self.told(fault, found.command, found.path)
            case .failed(CommandEnd.wrongUsage(let sentence)): return Self.told(.refused(sentence), root, [root.name])
            case .failed(CommandEnd.code(let code)): return Answer(code: code)
            case .failed(let error): return Answer(code: tell(error))
            }
        }
    }

    private static func told(_ fault: UsageFault, _ command: Command, _ path: [String]) -> Answer {
        var lines = ["Error: \(fault.sentence)"]
        if let form = fault.form { lines.append("Help:  \(form.label)  \(form.help)") }
        lines.append("Usage: \(HelpText(command: command, path: path).usage)")
        lines.append("  See '\(path.joined(separator: " ")) --help' for more information.")
        return Answer(code: 64, errors: lines.map { "\($0)\n" }.joined())
    }
}
