public import HTTPModel
public import Tables

/// Answers what operators and their tools ask: the front page, and whether the server is alive and ready.
public struct AdminRouter: Sendable {
    private let store: any TableStore
    private let product: String

    /// - Parameter product: name and version as the front page shows them.
    public init(store: any TableStore, product: String) {
        self.store = store
        self.product = product
    }

    /// What came of a request, and what the log should know of a failure.
    public struct Answer: Sendable {
        /// What goes to the client.
        public let response: HTTPResponse
        /// Why the request failed, for the log only.
        public let detail: String?
    }

    /// - Returns: nil where the path is none of these.
    public func respond(to request: HTTPRequest, target: RequestTarget) async -> Answer? {
        let segments = target.segments
        guard segments.count <= 1 else { return nil }
        switch segments.first ?? "" {
        case "": return Self.allowed(request) ?? Answer(response: frontPage, detail: nil)
        case "healthz": return Self.allowed(request) ?? Answer(response: .state(.ok, "alive"), detail: nil)
        case "readyz":
            if let refusal = Self.allowed(request) { return refusal }
            return await readiness()
        default: return nil
        }
    }

    /// All of these are only read.
    static func allowed(_ request: HTTPRequest) -> Answer? {
        if request.method == .get || request.method == .head { return nil }
        var response = HTTPResponse.failure(.methodNotAllowed, "This address can only be read")
        response.fields.append("Allow", "GET, HEAD")
        return Answer(response: response, detail: nil)
    }

    private func readiness() async -> Answer {
        switch await store.readiness() {
        case .ready: return Answer(response: .state(.ok, "ready"), detail: nil)
        case .notReady(let reason, let detail):
            return Answer(response: HTTPResponse.failure(.serviceUnavailable, reason), detail: detail)
        }
    }

    private var frontPage: HTTPResponse {
        HTTPResponse.text(
            .ok,
            """
            This is \(product), a server for apps written against Azure Mobile Apps.

              /tables/NAME   the tables, for the app's client library or by hand
              /healthz       whether the server is alive
              /readyz        whether it reaches its database
              /metrics       what it measures of itself, for Prometheus
              /openapi.json  all of this for programs, on this machine or with the master key

            """)
    }
}
