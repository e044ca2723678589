public import HTTPModel
public import ZumoProtocol

/// `/metrics`: what the server measures of itself, for Prometheus.
///
/// Callers on this machine read it without a key, as monitoring tools do. A request that came through a proxy is
/// somebody else's, and needs the master key or a token with the admin role.
public struct MetricsPage: Route {
    private let callers: Callers
    private let page: @Sendable () async -> [UInt8]

    /// - Parameter page: makes the page, in the text format 0.0.4.
    public init(callers: Callers, page: @escaping @Sendable () async -> [UInt8]) {
        self.callers = callers
        self.page = page
    }

    /// It is scraped every few seconds.
    public var probes: [String] { ["metrics"] }

    /// - Returns: nil if the path is another.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments == ["metrics"] else { return nil }
        if let refusal = AdminRouter.refusal(of: request) { return refusal }
        guard await OperatorAccess.isGranted(to: request, by: callers) else {
            return RouteResponse(.operatorsOnly)
        }
        var response = HTTPResponse(.ok, body: await page())
        response.fields.append("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        response.fields.append("Cache-Control", "no-store")
        return RouteResponse(response)
    }
}
