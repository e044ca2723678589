/// Completions of the current word for shells.
enum ShellCompletions {
    /// The option with which shells ask for completions; it must be the first word.
    static let option = "--offer"

    /// - Parameters:
    ///   - words: the words after the program's name. The last is the one being typed, and may be empty.
    ///   - root: the program's command.
    /// - Returns: a line for each word, with its help after a tab; or `:file` or `:folder`, for the shell to complete.
    static func text(for words: ArraySlice<String>, of root: Command) -> String {
        let typed = words.last ?? ""
        let (command, path) = root.command(at: words.dropLast(), below: [])
        let before = words.dropLast().dropFirst(path.count)
        let all = command.name == Command.help.name ? names(before, root) : all(before, typed, command)
        return all.filter { $0.hasPrefix(typed) || $0.hasPrefix(":") }.map { "\($0)\n" }.joined()
    }

    /// Returns everything that may follow the words of a command.
    private static func all(_ words: some Collection<String>, _ typed: String, _ command: Command) -> [String] {
        var arguments = command.forms.filter { $0.name == nil }[...]
        var awaiting: ParameterForm?
        var areLiteral = false
        for word in words {
            if awaiting != nil {
                awaiting = nil
            } else if areLiteral || !word.hasPrefix("-") || word == "-" {
                if arguments.first?.count != .often { arguments = arguments.dropFirst() }
            } else if word == "--" {
                areLiteral = true
            } else {
                awaiting = command.forms.first { $0.name == word && $0.value != nil }
            }
        }
        if let awaiting { return values(of: awaiting) }
        if let argument = arguments.first, areLiteral || !typed.hasPrefix("-") { return values(of: argument) }
        if areLiteral { return [] }
        // A flag is given only once.
        let own = command.forms.filter { form in form.value != nil || !words.contains { $0 == form.name } }
        return (words.isEmpty ? command.children.map { "\($0.name)\t\($0.abstract)" } : [])
            + own.compactMap { form in form.name.map { "\($0)\t\(form.help)" } }
            + Command.common.flatMap { option in option.names.map { "\($0)\t\(option.help)" } }
    }

    private static func values(of form: ParameterForm) -> [String] {
        form.kind == .text ? form.choices : [":\(form.kind)"]
    }

    /// Returns the commands that `help` may show after the names of others.
    private static func names(_ names: some Collection<String>, _ root: Command) -> [String] {
        let (command, path) = root.command(at: names, below: [])
        return path.count == names.count ? command.listed.map { "\($0.name)\t\($0.abstract)" } : []
    }
}
