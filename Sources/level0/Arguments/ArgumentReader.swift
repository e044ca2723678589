/// Assigns a command's words to its parameters.
struct ArgumentReader {
    private let forms: [ParameterForm]
    private var given: Set<Int> = []
    private var unknown: String?
    private var unexpected: [String] = []

    /// - Parameter take: assigns a word to the parameter with this index; false if it is not a valid value.
    /// - Throws: for a value that is wrong or missing, then for help and version, then for a missing parameter.
    init(of words: [Word], as forms: [ParameterForm], take: (Int, String) -> Bool) throws(EarlyExit) {
        self.forms = forms
        try read(words, take)
        if words.contains(where: \.asksForHelp) { throw .help(of: nil) }
        if words.contains(where: \.asksForVersion) { throw .version }
        for (index, form) in forms.enumerated() where form.isRequired && !given.contains(index) {
            throw .fault(.missing(form))
        }
    }

    /// - Throws: if there are words that the command doesn't know; options are reported first.
    func endsHere() throws(EarlyExit) {
        if let unknown {
            let near = unknown.hasPrefix("--") ? SpellingSuggestion.of(unknown, among: forms.compactMap(\.name)) : nil
            throw .fault(.unknownOption(unknown, near: near))
        }
        if !unexpected.isEmpty { throw .fault(.unexpected(unexpected)) }
    }

    private mutating func read(_ words: [Word], _ take: (Int, String) -> Bool) throws(EarlyExit) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let index: Int
            var value = ""
            switch word {
            case .plain(let argument), .literal(let argument):
                guard let free = nextArgument else {
                    unexpected.append(argument)
                    continue
                }
                (index, value) = (free, argument)
            case .long(let name, let attached):
                guard let named = forms.firstIndex(where: { $0.name == name }) else {
                    if !word.asksForHelp, !word.asksForVersion { unknown = unknown ?? name }
                    continue
                }
                index = named
                if let attached {
                    guard forms[index].value != nil else { throw .fault(.takesNoValue(option: name, value: attached)) }
                    value = attached
                } else if forms[index].value != nil {
                    guard case .plain(let next)? = rest.popFirst() else { throw .fault(.missingValue(forms[index])) }
                    value = next
                }
            case .short(let letters):
                unknown = unknown ?? letters
                continue
            }
            given.insert(index)
            guard take(index, value) else { throw .fault(.noSuchValue(value, of: forms[index])) }
        }
    }

    /// The index of the argument that takes the next word.
    private var nextArgument: Int? {
        forms.indices.first { forms[$0].name == nil && (forms[$0].count == .often || !given.contains($0)) }
    }
}
