/// A command: its help, its parameters and its action, or its subcommands.
package struct Command: Sendable {
    let name: String
    let abstract: String
    let discussion: String
    var forms: [ParameterForm] = []
    var children: [Command] = []
    let perform: @Sendable ([Word]) async throws(EarlyExit) -> Void
}

extension Command {
    /// Creates a command with an action.
    /// - Parameters:
    ///   - abstract: one sentence.
    ///   - discussion: further information, in one or more paragraphs.
    ///   - values: the defaults. A text that is empty here is required.
    ///   - check: throws if arguments don't go together, before the command runs.
    ///   - run: runs the command and prints its results; throws unless the exit code is 0.
    package init<Values: Sendable>(
        _ name: String, _ abstract: String, discussion: String = "", _ values: Values,
        _ parameters: [Parameter<Values>],
        check: @escaping @Sendable (Values) throws -> Void = { _ in },
        run: @escaping @Sendable (Values) async throws -> Void
    ) {
        let forms = parameters.map { $0.form(values) }
        self.init(name: name, abstract: abstract, discussion: discussion, forms: forms) { words throws(EarlyExit) in
            var taken = values
            let reading = try ArgumentReader(of: words, as: forms) { parameters[$0].take(&taken, $1) }
            do {
                try check(taken)
            } catch CommandEnd.wrongUsage(let sentence) {
                throw EarlyExit.fault(.refused(sentence))
            } catch {
                throw EarlyExit.failed(error)
            }
            try reading.endsHere()
            do {
                try await run(taken)
            } catch {
                throw EarlyExit.failed(error)
            }
        }
    }

    /// Creates a command with subcommands. Without one, it shows its help.
    package init(_ name: String, _ abstract: String, discussion: String = "", _ children: [Command]) {
        self.init(name: name, abstract: abstract, discussion: discussion, children: children) {
            words throws(EarlyExit) in
            try ArgumentReader(of: words, as: []) { _, _ in true }.endsHere()
            throw .help(of: nil)
        }
    }

    /// `help`, which takes the names of a command and shows its help. It isn't listed among the commands.
    static let help: Command = {
        let forms = [ParameterForm(value: "subcommands", help: "", count: .often)]
        return Command(
            name: "help", abstract: "Show subcommand help information.", discussion: "", forms: forms
        ) { words throws(EarlyExit) in
            var names: [String] = []
            let rest = words.filter { !$0.asksForHelp }
            let reading = try ArgumentReader(of: rest, as: forms) { _, name in
                names.append(name)
                return true
            }
            try reading.endsHere()
            throw .help(of: names)
        }
    }()

    /// The options that every command has.
    static let common = [
        (names: ["--version"], help: "Show the version."), (names: ["-h", "--help"], help: "Show help information."),
    ]

    /// The subcommands listed in its help.
    var listed: [Command] { children.filter { $0.name != Self.help.name } }

    /// Returns the deepest command that the first names lead to, with the names on the path.
    func command(at names: some Sequence<String>, below path: [String]) -> (command: Command, path: [String]) {
        var found = (command: self, path: path)
        for name in names {
            guard let child = found.command.children.first(where: { $0.name == name }) else { break }
            found = (child, found.path + [name])
        }
        return found
    }
}

/// How a command ends if not normally.
package enum CommandEnd: Error {
    /// With an exit code, after printing the reason.
    case code(Int32)
    /// With a sentence about what is wrong with the command line.
    case wrongUsage(String)
}

/// What happens instead of running a command.
enum EarlyExit: Error {
    /// The command's own help, or that of the command with these names.
    case help(of: [String]?)
    case version
    case fault(UsageFault)
    /// The command threw a `CommandEnd`, or failed without printing the reason.
    case failed(any Error)
}
