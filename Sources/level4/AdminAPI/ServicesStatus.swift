import Access
public import HTTPModel
import JSONText
public import Tables
public import ZumoProtocol

/// `/status` and `/diagnostics`, which operators of Mobile Services requested (v1).
public struct ServicesStatus: Route {
    private let store: any StoreHealth
    private let callers: Callers
    private let product: String
    private let start = ContinuousClock.now

    /// - Parameter product: the name and version for the diagnostics.
    public init(store: any StoreHealth, callers: Callers, product: String) {
        self.store = store
        self.callers = callers
        self.product = product
    }

    /// - Returns: nil for any other path.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.count == 1, let name = target.segments.first?.lowercased(),
            name == "status" || name == "diagnostics"
        else { return nil }
        guard request.method == .get || request.method == .head else {
            var fields = HTTPFields()
            fields.append("Allow", "GET, HEAD")
            return RouteResponse(
                HTTPResponse(.methodNotAllowed, fields: fields), detail: "this address can only be read")
        }
        if name == "status" {
            var fields = HTTPFields()
            fields.append("Cache-Control", "no-store")
            return RouteResponse(HTTPResponse(.ok, fields: fields))
        }
        guard await callers.isAdmin(request) else {
            return RouteResponse(ErrorBody.response(.unauthorized, .loginRequired, "Unauthorized", in: .v1))
        }
        return await diagnostics()
    }

    private func diagnostics() async -> RouteResponse {
        let asked = ContinuousClock.now
        do throws(TableError) {
            try await store.ping()
            return RouteResponse(report(.ok, latency: asked.duration(to: .now)))
        } catch {
            return RouteResponse(report(.serviceUnavailable, latency: nil), detail: error.detail)
        }
    }

    /// - Parameter latency: how long the database took to respond; nil if it didn't.
    private func report(_ status: HTTPStatus, latency: Duration?) -> HTTPResponse {
        let json: JSONValue = [
            "service": "table server", "version": .string(product),
            "uptime": .string(Self.words(start.duration(to: .now).components.seconds)),
            "database": [
                "reachable": .boolean(latency != nil),
                "latencyMilliseconds": JSONValue(latency.map { $0 / .milliseconds(1) }),
            ],
        ]
        var response = HTTPResponse.json(json.jsonBytes, status)
        response.fields.append("Cache-Control", "no-store")
        return response
    }

    /// Returns a time in seconds in words: `2 days 3 hours 4 minutes 5 seconds`.
    static func words(_ seconds: Int64) -> String {
        let parts = [
            (seconds / 86_400, "day"), (seconds / 3_600 % 24, "hour"), (seconds / 60 % 60, "minute"),
            (seconds % 60, "second"),
        ]
        let first = parts.firstIndex { $0.0 > 0 } ?? parts.count - 1
        return parts[first...].map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " ")
    }
}
