/// A value as an operator wrote it, with its position, before it is checked.
struct ConfigurationValue: Sendable {
    enum Form: Sendable {
        /// Nothing, `~` or `null`, which all count as an absent key.
        case empty
        case text(String, quoted: Bool)
        case list([ConfigurationValue])
        case members([Member])
    }

    struct Member: Sendable {
        let name: String
        let value: ConfigurationValue
    }

    let form: Form
    let origin: Origin
    /// The key with dots, from the root of the file.
    let key: String

    /// Creates a plain text from the environment or the command line.
    init(_ text: String, origin: Origin, key: String) {
        self.init(form: text.isEmpty ? .empty : .text(text, quoted: false), origin: origin, key: key)
    }

    init(form: Form, origin: Origin, key: String) {
        self.form = form
        self.origin = origin
        self.key = key
    }

    var isEmpty: Bool {
        if case .empty = form { true } else { false }
    }

    func fault(_ sentence: String) -> ConfigurationFault {
        ConfigurationFault(origin, key: key.isEmpty ? nil : key, sentence)
    }

    /// Returns a fault that says what was expected and what was found.
    func mismatch(_ expected: String) -> ConfigurationFault {
        fault("has to be \(expected), not \(found)")
    }

    func text() throws(ConfigurationFault) -> String {
        guard case .text(let text, _) = form else { throw mismatch("a text") }
        return text
    }

    func boolean() throws(ConfigurationFault) -> Bool {
        guard case .text(let text, quoted: false) = form else { throw mismatch("true or false") }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw mismatch("true or false")
        }
    }

    func whole(in range: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
        guard case .text(let text, _) = form, let number = Int(text), range.contains(number) else {
            throw mismatch("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns one of the raw values of an enumeration, ignoring case.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) throws(ConfigurationFault) -> Choice {
        let names = type.allCases.map(\.rawValue)
        guard case .text(let text, _) = form,
            let match = type.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
        else { throw mismatch("one of " + names.joined(separator: ", ")) }
        return match
    }

    func list() throws(ConfigurationFault) -> [ConfigurationValue] {
        guard case .list(let items) = form else { throw mismatch("a list") }
        return items
    }

    /// Returns a list, which in the environment is a text with commas.
    func commaSeparated() throws(ConfigurationFault) -> [ConfigurationValue] {
        guard case .text(let text, _) = form, case .environment = origin else { return try list() }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            ConfigurationValue(String(part.filter { $0 != " " }), origin: origin, key: key)
        }
    }

    /// Returns a text or a list of texts, without empty ones; in the environment a text with commas.
    func texts() throws(ConfigurationFault) -> [String] {
        if case .list(let items) = form, items.isEmpty { throw fault("is an empty list") }
        var texts: [String] = []
        let items: [ConfigurationValue]
        switch (form, origin) {
        case (.list, _), (_, .environment): items = try commaSeparated()
        default: items = [self]
        }
        for item in items {
            let text = try item.text()
            guard !text.isEmpty else { throw item.fault("is empty") }
            texts.append(text)
        }
        return texts
    }

    func members() throws(ConfigurationFault) -> [Member] {
        switch form {
        case .members(let members): return members
        // The text is not repeated: it may be a password whose key was forgotten.
        case .text: throw fault("has to be a mapping of names to values, not a text")
        case .empty, .list: throw mismatch("a mapping of names to values")
        }
    }

    /// Returns the values of a mapping by name, without empty ones.
    func values(of names: [String]) throws(ConfigurationFault) -> [String: ConfigurationValue] {
        var values: [String: ConfigurationValue] = [:]
        for member in try members() {
            guard names.contains(member.name) else { throw .unknownKey(member, among: names) }
            if !member.value.isEmpty { values[member.name] = member.value }
        }
        return values
    }

    private var found: String {
        switch form {
        case .empty: "nothing"
        case .text(let text, _): "`\(text)`"
        case .list: "a list"
        case .members: "a mapping"
        }
    }
}
