import HTTPModel
public import JSONText

/// The OpenAPI 3.1 document of what a server answers to the clients of one generation.
public struct OpenAPIDocument: Sendable {
    /// The generation.
    public let generation: Generation
    /// The routes, in the order of the document.
    public var routes: [DescribedRoute] = []
    /// What schemas refer to, by name.
    public var schemas: [JSONMember] = []

    /// An empty document.
    public init(_ generation: Generation) {
        self.generation = generation
        schemas = [JSONMember(SharedSchema.error.rawValue, ErrorBody.schema(in: generation))]
    }

    /// The document's text.
    /// - Parameters:
    ///   - product: the server's name.
    ///   - version: the server's version.
    ///   - url: where clients reach the server.
    public func json(product: String, version: String, url: String) -> [UInt8] {
        var components = DocumentComponents(schemas: schemas)
        let paths = paths(&components)
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": .string("\(product), \(generation.title.description)"), "version": .string(version),
                "description": .string(Self.description),
            ],
            "servers": [["url": .string(url)]],
            "tags": .array(tags.map { ["name": .string($0)] }),
            "paths": .object(paths),
            "components": components.json,
        ]
        var json = JSONWriter(capacity: 65_536)
        json.value(document)
        return json.bytes
    }

    private static let description = """
        The tables, APIs and logins of this server as they stand now, in one generation of the protocol; ask \
        /openapi.json?generation=v1, v2 or v3 for another. Every GET can be a HEAD. A token that is not valid is 401 \
        also where none is needed. A request that breaks HTTP or its limits is refused before it reaches a route, with \
        400, 408, 413, 414, 417, 431, 501, 503 or 505.
        """

    private var tags: [String] {
        var tags: [String] = []
        for route in routes where !tags.contains(route.tag) { tags.append(route.tag) }
        return tags
    }

    private func paths(_ components: inout DocumentComponents) -> [JSONMember] {
        var paths: [String] = []
        var routesOfPath: [String: [DescribedRoute]] = [:]
        for route in routes {
            if routesOfPath[route.path] == nil { paths.append(route.path) }
            routesOfPath[route.path, default: []].append(route)
        }
        return paths.map { path in
            JSONMember(
                path,
                .object(
                    (routesOfPath[path] ?? []).map { JSONMember($0.method.name.lowercased(), $0.json(&components)) }))
        }
    }
}

/// The schemas that several routers refer to. A table's schemas begin with its name, which holds no hyphen.
public enum SharedSchema: String, Sendable {
    case error = "error-body"
    case session = "login-session"

    /// A reference to the schema.
    public var reference: JSONValue { .reference(to: rawValue) }
}

extension JSONValue {
    /// A reference to a schema of the document.
    public static func reference(to name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
