public import HTTPModel
public import Tables
public import ZumoProtocol

/// Answers operators and their tools: the front page, and whether the server is alive and ready.
public struct AdminRouter: Route {
    private let store: any StoreHealth
    private let product: String
    private let isTest: Bool
    private let keyless: @Sendable () -> [String]
    private let scriptsFail: @Sendable () -> Bool

    /// - Parameters:
    ///   - product: the name and version for the front page.
    ///   - isTest: whether the page warns that this is a test server.
    ///   - keyless: returns the providers whose tokens can't be verified for lack of a usable key.
    ///   - scriptsFail: returns whether no script can be run at the moment.
    public init(
        store: any StoreHealth, product: String, isTest: Bool = false,
        keyless: @escaping @Sendable () -> [String] = { [] }, scriptsFail: @escaping @Sendable () -> Bool = { false }
    ) {
        self.keyless = keyless
        self.scriptsFail = scriptsFail
        self.isTest = isTest
        self.store = store
        self.product = product
    }

    /// Load balancers and orchestrators request these every few seconds.
    public var probes: [String] { ["healthz", "readyz"] }

    /// - Returns: nil for any other path.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        let segments = target.segments
        guard segments.count <= 1 else { return nil }
        switch segments.first ?? "" {
        case "":
            if request.method == .options { return Self.methods }
            return Self.refusal(of: request) ?? RouteResponse(frontPage)
        case "healthz": return Self.refusal(of: request) ?? RouteResponse(.state(.ok, "alive"))
        case "readyz":
            var answer: RouteResponse
            if let refusal = Self.refusal(of: request) { answer = refusal } else { answer = await readiness() }
            answer.isReadiness = true
            return answer
        default: return nil
        }
    }

    /// Refuses all methods but GET and HEAD.
    static func refusal(of request: HTTPRequest) -> RouteResponse? {
        if request.method == .get || request.method == .head { return nil }
        var response = HTTPResponse.failure(.methodNotAllowed, .methodNotAllowed, "This address can only be read")
        response.fields.append("Allow", "GET, HEAD")
        return RouteResponse(response)
    }

    /// HAProxy sends `OPTIONS /` if its configuration asks for health checks without saying how.
    private static let methods: RouteResponse = {
        var response = HTTPResponse(.noContent)
        response.fields.append("Allow", "GET, HEAD, OPTIONS")
        return RouteResponse(response)
    }()

    private func readiness() async -> RouteResponse {
        switch await store.readiness() {
        case .ready:
            // Still ready: all else is served, and every server behind a load balancer would be in the same state.
            let away = await store.tablesAway()
            return RouteResponse(.ready(without: away, keyless: keyless(), scriptsFail: scriptsFail()))
        case .notReady(let reason, let detail):
            return RouteResponse(HTTPResponse.failure(.serviceUnavailable, .notReady, reason), detail: detail)
        }
    }

    private static let warning = """

        It was started with --test. Whoever reaches it can throw away every row, set its clock and break its answers
        (/_test): it is for tests, and for nobody's data.

        """

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
            \(isTest ? Self.warning : "")
            """)
    }
}
