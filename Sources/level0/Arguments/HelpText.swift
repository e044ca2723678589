/// The help of a command.
struct HelpText {
    let command: Command
    /// The names that lead to the command, beginning with the program's.
    let path: [String]

    /// A one-line summary of the command's parameters.
    var usage: String {
        var parts = path
        if !command.children.isEmpty {
            parts.append("<subcommand>")
        } else if command.forms.count > Self.mostInUsage {
            let shown = command.forms.filter { $0.isRequired || $0.name == nil }.map(\.usage)
            parts += [shown.isEmpty ? "<options>" : "[<options>]"] + shown
        } else {
            parts += command.forms.map(\.usage)
        }
        return parts.joined(separator: " ")
    }

    /// Returns the whole help.
    /// - Parameter width: the width of the terminal in columns.
    func text(width: Int) -> String {
        var text = "OVERVIEW: \(command.abstract)".wrapped(to: width) + "\n\n"
        if !command.discussion.isEmpty { text += command.discussion.wrapped(to: width) + "\n\n" }
        text += "USAGE: \(usage)\n\n"
        func section(_ title: String, _ lines: [(label: String, help: String)]) {
            if lines.isEmpty { return }
            text += "\(title):\n" + lines.map { Self.line($0.label, $0.help, width) }.joined() + "\n"
        }
        section("ARGUMENTS", command.forms.filter { $0.name == nil }.map { ($0.label, $0.wholeHelp) })
        let own = command.forms.filter { $0.name != nil }.map { ($0.label, $0.wholeHelp) }
        section("OPTIONS", own + Command.common.map { ($0.names.joined(separator: ", "), $0.help) })
        section("SUBCOMMANDS", command.listed.map { ($0.name, $0.abstract) })
        if !command.children.isEmpty {
            let names = [path[0], "help"] + path.dropFirst() + ["<subcommand>"]
            text += "  See '\(names.joined(separator: " "))' for detailed help.\n"
        }
        return text
    }

    private static func line(_ label: String, _ help: String, _ width: Int) -> String {
        let begin = "  \(label)"
        let lines = help.wrapped(to: width, indent: indent)
        if begin.count >= indent || lines.isEmpty { return "\(begin)\n\(lines.isEmpty ? "" : lines + "\n")" }
        return begin + lines.dropFirst(begin.count) + "\n"
    }

    /// The column where the texts next to the labels begin.
    private static let indent = 26
    /// With more parameters than this, the usage line omits optional ones.
    private static let mostInUsage = 12
}
