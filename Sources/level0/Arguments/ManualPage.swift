/// The contents of a program's man(1) page, beyond its declarations.
package struct ManualPage: Sendable {
    private let summary: String
    private let sections: String

    /// The option that prints the page; it must be the first word. Not in the help, as it is only for packagers.
    static let option = "--generate-manual"

    /// - Parameters:
    ///   - summary: a few words on what the program is, for the list of manual pages.
    ///   - sections: the sections after the commands, in troff.
    package init(summary: String, sections: String) {
        self.summary = summary
        self.sections = sections
    }

    /// Returns the whole page in troff.
    /// - Parameter version: the program's name, a dash and the number.
    func text(of root: Command, version: String) -> String {
        let number = version.split(separator: "-").last.map(String.init) ?? version
        return """
            .TH \(root.name.uppercased()) 1 "" "\(root.name) \(Self.escaped(number))" "User commands"
            .SH NAME
            \(root.name) \\- \(Self.escaped(summary))
            .SH SYNOPSIS
            .B \(root.name)
            .I command
            [\\fIoption\\fR ...]
            .SH DESCRIPTION
            \(Self.description(of: root))
            .SH COMMANDS
            \(Self.commands(of: root, below: []).joined(separator: "\n"))
            \(sections)

            """
    }

    private static func commands(of command: Command, below path: [String]) -> [String] {
        command.listed.flatMap { child in
            let path = path + [child.name]
            if !child.children.isEmpty { return commands(of: child, below: path) }
            return [".SS \(escaped(path.joined(separator: " ")))", description(of: child)]
                + child.forms.map { form in
                    let name = form.name.map { "\\fB\(escaped($0))\\fR" }
                    let label = [name, form.value.map { "\\fI\(escaped($0))\\fR" }].compactMap(\.self)
                    return ".TP\n\(label.joined(separator: " "))\n\(escaped(form.help))"
                }
        }
    }

    private static func description(of command: Command) -> String {
        escaped(command.abstract) + (command.discussion.isEmpty ? "" : "\n.PP\n\(escaped(command.discussion))")
    }

    /// Escapes text so that troff finds no commands in it.
    private static func escaped(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return safe.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : $0 }.joined(separator: "\n")
    }
}
