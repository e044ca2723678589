public import HTTPModel
public import ZumoProtocol

/// `/metrics`: the server's measurements, for Prometheus.
///
/// Callers on this machine need no key, as monitoring tools have none. A request that came through a proxy is from
/// elsewhere, and needs the master key or a token with the admin role.
public struct MetricsPage: Route {
    private let callers: Callers
    private let page: @Sendable () async -> [UInt8]

    /// - Parameter page: creates the page, in text format 0.0.4.
    public init(callers: Callers, page: @escaping @Sendable () async -> [UInt8]) {
        self.callers = callers
        self.page = page
    }

    /// Prometheus requests it every few seconds.
    public var probes: [String] { ["metrics"] }

    /// - Returns: nil for any other path.
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
