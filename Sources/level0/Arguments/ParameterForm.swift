/// What readers, shells and the parser need to know of a parameter.
struct ParameterForm: Sendable {
    /// With its dashes; nil for an argument.
    var name: String?
    /// The name of its value in help; nil for a flag, whose value isn't a word of the command line.
    var value: String?
    let help: String
    var kind = WordKind.text
    var count = ParameterCount.onceOrNot
    var choices: [String] = []
    /// The word that applies if none is given.
    var standing: String?

    var isRequired: Bool { count == .once && standing == nil }

    /// As it is written, such as `--port <number>`.
    var label: String { [name, value.map { "<\($0)>" }].compactMap(\.self).joined(separator: " ") }

    /// As it appears in a usage line: in brackets if it is optional.
    var usage: String {
        let repeated = count == .often ? "\(label) ..." : label
        return isRequired ? repeated : "[\(repeated)]"
    }

    /// The help, with the words that it may be and the one that holds by default.
    var wholeHelp: String {
        var notes = choices.isEmpty ? [] : ["values: \(choices.joined(separator: ", "))"]
        if let standing { notes.append("default: \(standing)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}

/// What the words of a parameter are, so that a shell can offer some.
package enum WordKind: Sendable {
    case text, file, folder
}
