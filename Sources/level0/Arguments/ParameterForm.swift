/// What the help, shells and the parser need to know about a parameter.
struct ParameterForm: Sendable {
    /// The name with its dashes; nil for an argument.
    var name: String?
    /// The placeholder for its value in help; nil for a flag, which takes no word.
    var value: String?
    let help: String
    var kind = WordKind.text
    var count = ParameterCount.onceOrNot
    var choices: [String] = []
    /// The word for the default value.
    var standing: String?

    var isRequired: Bool { count == .once && standing == nil }

    /// The name and placeholder, such as `--port <number>`.
    var label: String { [name, value.map { "<\($0)>" }].compactMap(\.self).joined(separator: " ") }

    /// The form in a usage line: in brackets if it is optional.
    var usage: String {
        let repeated = count == .often ? "\(label) ..." : label
        return isRequired ? repeated : "[\(repeated)]"
    }

    /// The help with the allowed words and the default.
    var wholeHelp: String {
        var notes = choices.isEmpty ? [] : ["values: \(choices.joined(separator: ", "))"]
        if let standing { notes.append("default: \(standing)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}

/// What the words of a parameter denote, so that a shell can complete them.
package enum WordKind: Sendable {
    case text, file, folder
}
