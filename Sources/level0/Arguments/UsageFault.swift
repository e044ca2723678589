/// What is wrong with a command line.
enum UsageFault {
    /// A word begins like an option but can't be one.
    case malformed(String)
    case unknownOption(String, near: String?)
    /// There are more words than the command takes.
    case unexpected([String])
    case missing(ParameterForm)
    case missingValue(ParameterForm)
    case noSuchValue(String, of: ParameterForm)
    case takesNoValue(option: String, value: String)
    /// The name isn't that of a supported shell; empty if none was given.
    case noShell(String)
    /// The command itself rejects its arguments.
    case refused(String)

    /// A description for users.
    var sentence: String {
        switch self {
        case .malformed(let word):
            "Invalid option: \(word)"
        case .unknownOption(let name, let near):
            "Unknown option '\(name)'" + (near.map { ". Did you mean '\($0)'?" } ?? "")
        case .unexpected(let words):
            (words.count == 1 ? "Unexpected argument " : "\(words.count) unexpected arguments: ")
                + words.map { "'\($0)'" }.joined(separator: ", ")
        case .missing(let form):
            "Missing expected argument '\(form.label)'"
        case .missingValue(let form):
            "Missing value for '\(form.label)'"
        case .noSuchValue(let word, let form):
            "The value '\(word)' is invalid for '\(form.label)'"
                + (form.choices.isEmpty ? "" : ". Please provide one of \(Self.listed(form.choices)).")
        case .takesNoValue(let option, let value):
            "The option '\(option)' does not take any value, but '\(value)' was specified."
        case .noShell(let name):
            """
            \(name.isEmpty ? "Can't autodetect a supported shell" : "Can't generate completion scripts for '\(name)'").
            Please use \(Shell.option)=<shell> with one of:
                \(Shell.allCases.map(\.rawValue).joined(separator: " "))
            """
        case .refused(let sentence):
            sentence
        }
    }

    /// The parameter at fault, if the sentence says too little about it.
    var form: ParameterForm? {
        switch self {
        case .missing(let form), .missingValue(let form), .noSuchValue(_, let form): form
        default: nil
        }
    }

    private static func listed(_ words: [String]) -> String {
        let quoted = words.map { "'\($0)'" }
        return quoted.dropLast().joined(separator: ", ") + " or " + quoted.suffix(1).joined()
    }
}
