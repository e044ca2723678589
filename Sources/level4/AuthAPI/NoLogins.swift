public import HTTPModel
public import ZumoProtocol

/// Stands in for logins if none are configured.
public struct NoLogins: Route {
    /// Creates the route.
    public init() {}

    /// Its requests are counted as logins.
    public var group: RouteGroup { .auth }

    /// Answers, at the paths of logins, that there are none.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard let first = target.segments.first?.lowercased(), first == ".auth" || first == "login" else { return nil }
        return RouteResponse(
            ErrorResponse(
                .notFound, .loginsOff, "This server has no logins: auth.signingKey and auth.providers are not set."),
            in: first == "login" ? .v1 : .v2)
    }

    /// Adds nothing.
    public func describe(in document: inout OpenAPIDocument) {}
}
