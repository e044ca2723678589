public import HTTPModel
public import ZumoProtocol

/// Takes the place of logins if none is possible.
public struct NoLogins: Route {
    /// Stands there.
    public init() {}

    /// Its requests are counted with the logins.
    public var group: RouteGroup { .auth }

    /// Says so, at the paths of logins.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard let first = target.segments.first?.lowercased(), first == ".auth" || first == "login" else { return nil }
        return RouteResponse(
            ErrorResponse(
                .notFound, .loginsOff, "This server has no logins: auth.signingKey and auth.providers are not set."),
            in: first == "login" ? .v1 : .v2)
    }

    /// Nothing is there.
    public func describe(in document: inout OpenAPIDocument) {}
}
