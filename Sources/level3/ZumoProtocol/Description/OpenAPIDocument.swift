public import JSONText
public import RouteDescription

/// The OpenAPI 3.1 document of a server's operations for the clients of one generation.
public struct OpenAPIDocument: Sendable {
    /// The documented generation.
    public let generation: Generation
    /// The routes, in the order of the document.
    public var routes: [DescribedRoute] = []
    /// The shared schemas, by name.
    public var schemas: [JSONMember] = []

    /// Creates an empty document.
    public init(_ generation: Generation) {
        self.generation = generation
        schemas = [JSONMember(SharedSchema.error.rawValue, ErrorBody.schema(in: generation))]
    }

    /// Returns the document's text.
    /// - Parameters:
    ///   - product: the server's name.
    ///   - version: the server's version.
    ///   - url: the URL at which clients reach the server.
    public func json(product: String, version: String, url: String) -> [UInt8] {
        DocumentText.json(
            title: "\(product), \(generation.title)", description: Self.description, version: version,
            url: url, routes: routes, schemas: schemas
        )
    }

    private static let description = """
        The tables, APIs and logins of this server as they stand now, in one generation of the protocol; ask \
        /openapi.json?generation=v1, v2 or v3 for another. Every GET can be a HEAD. A token that is not valid is 401 \
        also where none is needed. A request that breaks HTTP or its limits is refused before it reaches a route, with \
        400, 408, 413, 414, 417, 431, 501, 503 or 505.
        """
}
