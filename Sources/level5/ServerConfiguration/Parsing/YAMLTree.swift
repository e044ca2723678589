import ByteText

/// Creates values from the events of a YAML text. Aliases are resolved, and the values they stand for count each time:
/// a few lines of them can expand to more than fits in memory.
struct YAMLTree {
    /// The maximum depth of nested lists and mappings.
    static let mostLevels = 100
    /// The maximum number of values, not counting keys.
    static let mostValues = 100_000
    /// The maximum size of the values in bytes, each with its full key: 16 MiB.
    static let mostBytes = 16 << 20

    private let events: YAMLEvents
    private var anchors: [ExactText: Node] = [:]
    private var values = 0
    private var bytes = 0

    /// An item of a list or a mapping, or the value of an anchor.
    private struct Node {
        let form: ConfigurationValue.Form
        /// The text, for use as a key; nil for lists and mappings.
        let name: String?
        /// The line of the value; for an alias, that of its anchor.
        let line: Int
    }

    init(_ events: YAMLEvents) {
        self.events = events
    }

    /// Reads the text's only document; empty if there is none.
    mutating func root() throws(ConfigurationFault) -> ConfigurationValue {
        let whole = Origin.file(events.path, line: 1)
        guard case .document = try events.next() else {
            return ConfigurationValue(form: .empty, origin: whole, key: "")
        }
        let root = try value(events.next(), at: "", level: 0)
        _ = try events.next()
        guard case .textEnd = try events.next() else { throw events.fault("but found another document") }
        return ConfigurationValue(form: root.form, origin: whole, key: "")
    }

    /// - Parameters:
    ///   - line: the line of its key; nil to report its own line.
    ///   - level: the number of lists and mappings around it.
    private mutating func value(
        _ event: YAMLEvents.Event, at key: String, line: Int? = nil, level: Int
    ) throws(ConfigurationFault) -> ConfigurationValue {
        try countValue(at: key)
        let node = try node(event, at: key, level: level)
        return ConfigurationValue(form: node.form, origin: .file(events.path, line: line ?? node.line), key: key)
    }

    private mutating func node(
        _ event: YAMLEvents.Event, at key: String, level: Int
    ) throws(ConfigurationFault) -> Node {
        let line = events.line
        let node: Node
        let anchor: String?
        switch event {
        case .scalar(let text, let isQuoted, let name):
            try count(text)
            let isNull = !isQuoted && ["", "~", "null", "Null", "NULL"].contains(text)
            node = Node(form: isNull ? .empty : .text(text, quoted: isQuoted), name: text, line: line)
            anchor = name
        case .list(let name):
            node = Node(form: .list(try items(at: key, level: level + 1)), name: nil, line: line)
            anchor = name
        case .mapping(let name):
            node = Node(form: .members(try members(at: key, level: level + 1)), name: nil, line: line)
            anchor = name
        case .alias(let name):
            guard let known = anchors[ExactText(name)] else { throw events.fault("found undefined alias") }
            return Node(form: try moved(known.form, to: key, level: level), name: known.name, line: known.line)
        case .end, .document, .documentEnd, .textEnd:
            throw events.fault("is not YAML")
        }
        // Only now, so that nothing can contain itself.
        if let anchor { anchors[ExactText(anchor)] = node }
        return node
    }

    private mutating func items(at key: String, level: Int) throws(ConfigurationFault) -> [ConfigurationValue] {
        try checkLevel(level)
        var items: [ConfigurationValue] = []
        while let event = try nextInside() {
            items.append(try value(event, at: Self.key(ofItem: items.count, in: key), level: level))
        }
        return items
    }

    private mutating func members(at key: String, level: Int) throws(ConfigurationFault) -> [ConfigurationValue.Member]
    {
        try checkLevel(level)
        var members: [ConfigurationValue.Member] = []
        // Names that only look the same also count as repeated: a reader could not tell which one applies.
        var lines: [String: Int] = [:]
        var repeated: [String] = []
        while let event = try nextInside() {
            let node = try node(event, at: "", level: level)
            if let name = node.name, lines.updateValue(lines[name] ?? node.line, forKey: name) != nil {
                repeated.append(name)
            }
            // A list or a mapping used as a key matches no known name.
            let name = node.name ?? ""
            let value = try value(events.next(), at: Self.key(of: name, in: key), line: node.line, level: level)
            members.append(ConfigurationValue.Member(name: name, value: value))
        }
        if let name = repeated.min(), let line = lines[name] {
            throw ConfigurationFault(.file(events.path, line: line), key: name, "is written more than once")
        }
        return members
    }

    /// Returns nil at the end of a list or a mapping.
    private func nextInside() throws(ConfigurationFault) -> YAMLEvents.Event? {
        let event = try events.next()
        if case .end = event { return nil }
        return event
    }

    /// Returns an anchor's value for another place: the keys of everything in it begin with that of the place.
    private mutating func moved(
        _ form: ConfigurationValue.Form, to key: String, level: Int
    ) throws(ConfigurationFault) -> ConfigurationValue.Form {
        switch form {
        case .empty: return form
        case .text(let text, _):
            try count(text)
            return form
        case .list(let items):
            try checkLevel(level + 1)
            var moved: [ConfigurationValue] = []
            for item in items {
                moved.append(try self.moved(item, to: Self.key(ofItem: moved.count, in: key), level: level + 1))
            }
            return .list(moved)
        case .members(let members):
            try checkLevel(level + 1)
            var moved: [ConfigurationValue.Member] = []
            for member in members {
                let value = try self.moved(member.value, to: Self.key(of: member.name, in: key), level: level + 1)
                moved.append(ConfigurationValue.Member(name: member.name, value: value))
            }
            return .members(moved)
        }
    }

    private mutating func moved(
        _ value: ConfigurationValue, to key: String, level: Int
    ) throws(ConfigurationFault) -> ConfigurationValue {
        try countValue(at: key)
        return ConfigurationValue(form: try moved(value.form, to: key, level: level), origin: value.origin, key: key)
    }

    private static func key(of name: String, in key: String) -> String {
        key.isEmpty ? name : "\(key).\(name)"
    }

    private static func key(ofItem index: Int, in key: String) -> String {
        "\(key)[\(index)]"
    }
}

/// Limits.
extension YAMLTree {
    private func checkLevel(_ level: Int) throws(ConfigurationFault) {
        guard level <= Self.mostLevels else { throw events.fault("is nested deeper than \(Self.mostLevels) levels") }
    }

    private mutating func countValue(at key: String) throws(ConfigurationFault) {
        values += 1
        guard values <= Self.mostValues else {
            throw events.fault("has more than \(Self.mostValues) values, aliases counted as often as they stand")
        }
        try count(key)
    }

    private mutating func count(_ text: String) throws(ConfigurationFault) {
        bytes += text.utf8.count
        guard bytes <= Self.mostBytes else {
            throw events.fault(
                "comes to more than \(Self.mostBytes >> 20) MiB, aliases counted as often as they stand")
        }
    }
}
