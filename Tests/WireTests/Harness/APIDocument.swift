import JSONText
import Testing
import WireTesting

/// The OpenAPI document of a server, taken apart.
struct APIDocument {
    let json: JSONValue
    let operations: [Operation]

    /// One operation of the document.
    struct Operation {
        let method: String
        let path: String
        let json: JSONValue

        var id: String { json["operationId"]?.textValue ?? "" }
        var isProtected: Bool { json["security"]?.elements?.isEmpty == false }
    }

    init(_ generation: String, port: UInt16) throws {
        let response = try WireClient(port: port).exchange("GET", "/openapi.json?generation=\(generation)")
        try #require(response.code == 200, "\(response.text)")
        json = try JSONReader.parse(response.body)
        operations = Self.members(json["paths"]).flatMap { path in
            Self.members(path.value).map { Operation(method: $0.name.uppercased(), path: path.name, json: $0.value) }
        }
    }

    /// The operation that a request means: names of tables match in any case.
    func operation(_ method: String, segments: [String]) -> Operation? {
        operations.first { operation in
            let pattern = operation.path.split(separator: "/")
            return operation.method == method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0.lowercased() == $1.lowercased() }
        }
    }

    /// What a reference points at; a value that is none is itself.
    func resolved(_ value: JSONValue) -> JSONValue? {
        guard let reference = value["$ref"]?.textValue else { return value }
        return reference.split(separator: "/").dropFirst().reduce(json as JSONValue?) { $0?[String($1)] }
    }

    /// The media types that an operation answers with that status; nil where the status is none of its.
    func types(_ operation: Operation, _ code: Int) -> [String]? {
        guard let answers = operation.json["responses"], let answer = answers["\(code)"] ?? answers["default"] else {
            return nil
        }
        return members(resolved(answer)?["content"]).map(\.name)
    }

    /// Every reference in the document.
    var references: [String] { Self.references(in: json) }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(references)
        case .object(let members):
            members.flatMap { member -> [String] in
                if member.name == "$ref", case .string(let text) = member.value { return [text] }
                return references(in: member.value)
            }
        default: []
        }
    }

    func members(_ value: JSONValue?) -> [JSONMember] { Self.members(value) }

    private static func members(_ value: JSONValue?) -> [JSONMember] {
        if case .object(let members)? = value { members } else { [] }
    }
}
