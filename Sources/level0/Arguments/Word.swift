/// A word of the command line, classified by its form.
enum Word: Equatable {
    /// A value, or the single `-`.
    case plain(String)
    /// `--name` or `--name=value`. The name includes its dashes; an empty value counts as none.
    case long(String, value: String?)
    /// `-x` or several such letters, including the dash, without anything from `=` on.
    case short(String)
    /// A word after `--`, which is taken literally.
    case literal(String)

    /// - Throws: if a word looks like an option but can't be one.
    static func split(_ words: some Sequence<String>) throws(EarlyExit) -> [Word] {
        var split: [Word] = []
        var areLiteral = false
        for word in words {
            if areLiteral {
                split.append(.literal(word))
            } else if word == "--" {
                areLiteral = true
            } else if !word.hasPrefix("-") || word == "-" {
                split.append(.plain(word))
            } else {
                let name = String(word.prefix { $0 != "=" })
                let value = word.count > name.count + 1 ? String(word.dropFirst(name.count + 1)) : nil
                guard !name.hasPrefix("---"), name != "-" else { throw .fault(.malformed(word)) }
                split.append(name.hasPrefix("--") ? .long(name, value: value) : .short(name))
            }
        }
        return split
    }

    /// Whether it asks for help, wherever it occurs.
    var asksForHelp: Bool {
        switch self {
        case .long("--help", _), .long("--help-hidden", _): true
        case .short(let letters): letters.contains("h")
        default: false
        }
    }

    /// Whether it asks for the version, wherever it occurs.
    var asksForVersion: Bool { isLong("--version") }

    func isLong(_ name: String) -> Bool { if case .long(name, _) = self { true } else { false } }
}
