import JSONText

/// The parts shared by many routes of a document, each written once.
struct DocumentComponents {
    /// The kinds of parts. The raw values are OpenAPI's words.
    enum Kind: String, CaseIterable {
        case parameters, headers, responses
    }

    private let schemas: [JSONMember]
    private var parts: [Kind: [JSONMember]] = [:]
    /// The variants of one name, in the order of their numbers.
    private var variants: [Kind: [String: [JSONValue]]] = [:]

    init(schemas: [JSONMember]) {
        self.schemas = schemas
    }

    /// Adds a part unless it already exists, and returns a reference to it.
    mutating func reference(to part: JSONValue, _ kind: Kind, named base: String) -> JSONValue {
        // Component names can't contain `$`.
        let base = base.filter { $0 != "$" }
        var known = variants[kind]?[base] ?? []
        let number = known.firstIndex(of: part) ?? known.count
        let name = number == 0 ? base : "\(base)-\(number + 1)"
        if number == known.count {
            known.append(part)
            variants[kind, default: [:]][base] = known
            parts[kind, default: []].append(JSONMember(name, part))
        }
        return ["$ref": .string("#/components/\(kind.rawValue)/\(name)")]
    }

    var json: JSONValue {
        .object(
            [JSONMember("schemas", .object(schemas))]
                + Kind.allCases.map { JSONMember($0.rawValue, .object(parts[$0] ?? [])) }
                + [
                    JSONMember(
                        "securitySchemes",
                        .object(SecurityScheme.allCases.map { JSONMember($0.rawValue, $0.json) }))
                ])
    }
}
