public import HTTPModel
public import Tables
public import ZumoProtocol

/// Answers what operators and their tools ask: the front page, and whether the server is alive and ready.
public struct AdminRouter: Route {
    private let store: any StoreHealth
    private let product: String
    private let isTest: Bool
    private let keyless: @Sendable () -> [String]

    /// - Parameters:
    ///   - product: name and version as the front page shows them.
    ///   - isTest: whether the page warns that the server is for tests.
    ///   - keyless: whose tokens the server can't check for lack of a usable key.
    public init(
        store: any StoreHealth, product: String, isTest: Bool = false,
        keyless: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.keyless = keyless
        self.isTest = isTest
        self.store = store
        self.product = product
    }

    /// Balancers and orchestrators ask every few seconds.
    public var probes: [String] { ["healthz", "readyz"] }

    /// - Returns: nil if the path is none of these.
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

    /// All of these are only read.
    static func refusal(of request: HTTPRequest) -> RouteResponse? {
        if request.method == .get || request.method == .head { return nil }
        var response = HTTPResponse.failure(.methodNotAllowed, .methodNotAllowed, "This address can only be read")
        response.fields.append("Allow", "GET, HEAD")
        return RouteResponse(response)
    }

    /// `OPTIONS /` is what HAProxy asks where its configuration says nothing but that servers are to be checked.
    private static let methods: RouteResponse = {
        var response = HTTPResponse(.noContent)
        response.fields.append("Allow", "GET, HEAD, OPTIONS")
        return RouteResponse(response)
    }()

    private func readiness() async -> RouteResponse {
        switch await store.readiness() {
        case .ready:
            // The other tables are served, the other users let in, and every server behind a balancer would meet the same.
            let away = await store.tablesAway()
            return RouteResponse(.ready(without: away, keyless: keyless()))
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
