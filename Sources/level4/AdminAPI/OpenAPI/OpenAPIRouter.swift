import Cryptography
public import HTTPModel
import JSONText
import RouteDescription
public import ZumoProtocol

/// Answers `/openapi.json`: the server's current routes and tables, for generating clients.
public struct OpenAPIRouter: Route {
    private let callers: Callers
    private let generations: Generations
    private let publicURL: String?
    private let proxies: TrustedProxies
    private let product: (name: String, version: String)
    private let others: [any Route]
    private let isLimited: Bool

    /// - Parameters:
    ///   - generations: the generations that have documents.
    ///   - publicURL: the base of the server's address, without a trailing slash; nil to take it from each request.
    ///   - others: the other routes. They are described anew for each request, because tables are created and change.
    ///   - isLimited: whether any route may answer that there were too many requests.
    public init(
        callers: Callers, generations: Generations, publicURL: String?, proxies: TrustedProxies,
        product: (name: String, version: String), describing others: [any Route], isLimited: Bool
    ) {
        self.callers = callers
        self.generations = generations
        self.publicURL = publicURL
        self.proxies = proxies
        self.product = product
        self.others = others
        self.isLimited = isLimited
    }

    /// - Returns: nil for any other path.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.map({ $0.lowercased() }) == ["openapi.json"] else { return nil }
        if let refusal = AdminRouter.refusal(of: request) { return refusal }
        guard await OperatorAccess.isGranted(to: request, by: callers) else { return RouteResponse(.operatorsOnly) }
        guard let asked = generation(of: request, target) else {
            return RouteResponse(
                .failure(.badRequest, .generationUnknown, "There is no such generation; ask for v1, v2 or v3"))
        }
        return RouteResponse(document(for: request, in: asked))
    }

    /// Returns the generation that the query names, or else the one of the request itself.
    private func generation(of request: HTTPRequest, _ target: RequestTarget) -> Generation? {
        if let name = target.query.first(where: { $0.name == "generation" })?.value {
            return generations.named(name.lowercased())
        }
        return try? generations.told(by: request, target)
    }

    private func document(for request: HTTPRequest, in generation: Generation) -> HTTPResponse {
        var document = OpenAPIDocument(generation)
        for route in others { route.describe(in: &document) }
        describe(in: &document)
        if isLimited { Self.describeLimit(in: &document) }
        let body = document.json(
            product: product.name, version: product.version,
            url: PublicAddress(request, publicURL: publicURL, trusting: proxies).base)
        let tag = Self.tag(of: body)
        var fields = HTTPFields()
        fields.append("ETag", "\"\(tag)\"")
        fields.append("Cache-Control", "no-cache")
        if case .strong(let known)? = EntityTags(request.fields.values("If-None-Match")), known.contains(tag) {
            return HTTPResponse(.notModified, fields: fields)
        }
        fields.append("Content-Type", "application/json; charset=utf-8")
        return HTTPResponse(.ok, fields: fields, body: body)
    }

    /// Returns an entity tag, which changes with the bytes of a document.
    static func tag(of body: [UInt8]) -> String {
        Digest.sha256(body.span).prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Adds the answer that every route has if callers are rate-limited.
    private static func describeLimit(in document: inout OpenAPIDocument) {
        let answer = ResponseDescription(
            .tooManyRequests, "Too many requests.", DescribedContent(ErrorBody.anySchema), fields: [.retryAfter])
        for index in document.routes.indices { document.routes[index].answers.append(answer) }
    }

    /// Adds the route itself.
    public func describe(in document: inout OpenAPIDocument) {
        var route = DescribedRoute(.get, "/openapi.json", id: "openapi", tag: "server", "This document")
        route.parameters = [
            DescribedParameter(
                "generation", in: .query, "The generation to describe.",
                schema: ["type": "string", "enum": .array(generations.all.map { .string($0.rawValue) })]),
            DescribedParameter("If-None-Match", in: .header, "The ETag of the document that the client has."),
        ]
        let tag = DescribedField("ETag", "Changes with the document.").certain
        route.answers = [
            ResponseDescription(.ok, "The document.", DescribedContent(["type": "object"]), fields: [tag]),
            ResponseDescription(.notModified, "The client has it.", fields: [tag]),
            .plainFailure(.badRequest, "There is no such generation."),
            .operatorsOnly,
        ]
        document.routes.append(route)
    }
}
