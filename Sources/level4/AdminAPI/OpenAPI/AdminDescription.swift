import HTTPModel
import JSONText
import RouteDescription
public import ZumoProtocol

extension AdminRouter {
    /// Adds the front page and the health checks.
    public func describe(in document: inout OpenAPIDocument) {
        func route(_ path: String, _ id: String, _ summary: String, _ answers: [ResponseDescription]) {
            var route = DescribedRoute(.get, path, id: id, tag: "server", summary)
            route.answers = answers
            document.routes.append(route)
        }
        let state = DescribedContent([
            "type": "object", "required": ["status"], "properties": ["status": ["type": "string"]],
        ])
        let readiness = DescribedContent([
            "type": "object", "required": ["status"],
            "properties": [
                "status": ["type": "string"],
                "away": [
                    "type": "array", "items": ["type": "string"],
                    "description": "The tables that the database lacks for now; their rows are answered with 503.",
                ],
                "withoutKeys": [
                    "type": "array", "items": ["type": "string"],
                    "description": "The login providers and key sets without a usable key; their tokens are refused.",
                ],
                "scripts": [
                    "type": "string",
                    "description": "`unavailable` while no script can be run; what needs one is answered with 503.",
                ],
            ],
        ])
        let page = DescribedContent(["type": "string"], as: "text/plain")
        route("/", "front_page", "Says what this is", [ResponseDescription(.ok, "A page.", page)])
        route("/healthz", "health", "Whether the server is alive", [ResponseDescription(.ok, "It is.", state)])
        route(
            "/readyz", "readiness", "Whether the server reaches its database",
            [
                ResponseDescription(.ok, "It does.", readiness),
                .plainFailure(.serviceUnavailable, "It doesn't."),
            ])
    }
}

extension MetricsPage {
    /// Adds the page.
    public func describe(in document: inout OpenAPIDocument) {
        var route = DescribedRoute(.get, "/metrics", id: "metrics", tag: "server", "What the server measures of itself")
        route.answers = [
            ResponseDescription(
                .ok, "The page, for Prometheus.", DescribedContent(["type": "string"], as: "text/plain")),
            .operatorsOnly,
        ]
        document.routes.append(route)
    }
}

extension ServicesStatus {
    /// Adds the routes for operators of Mobile Services, which other generations don't have.
    public func describe(in document: inout OpenAPIDocument) {
        guard document.generation.family == .services else { return }
        var status = DescribedRoute(.get, "/status", id: "services_status", tag: "server", "Whether it is up")
        status.answers = [ResponseDescription(.ok, "It is.")]
        var diagnostics = DescribedRoute(
            .get, "/diagnostics", id: "services_diagnostics", tag: "server", "How the server is")
        diagnostics.admission = .admin
        let report = DescribedContent(["type": "object", "required": ["service", "version", "uptime", "database"]])
        diagnostics.answers = [
            ResponseDescription(.ok, "It is well.", report),
            ResponseDescription(.serviceUnavailable, "It does not reach its database.", report),
            .failure(.unauthorized, "The caller is no admin."),
        ]
        document.routes += [status, diagnostics]
    }
}

extension ResponseDescription {
    /// A refusal as created by `HTTPResponse.failure`, the same for clients of every generation.
    static func plainFailure(_ status: HTTPStatus, _ meaning: String) -> ResponseDescription {
        ResponseDescription(status, meaning, DescribedContent(ErrorBody.anySchema))
    }

    /// The answer to outsiders who request something meant for operators.
    static let operatorsOnly = plainFailure(
        .unauthorized, "The caller is neither on the server's machine nor an admin.")
}
