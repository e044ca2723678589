import HTTPModel
import JSONText
import RouteDescription
import Tables
public import ZumoProtocol

extension AuthRouter {
    /// Adds the logins that clients of the document's generation use.
    public func describe(in document: inout OpenAPIDocument) {
        let description = LoginDescription(generation: document.generation, providers: settings.providers)
        document.routes += description.routes
        document.schemas.append(JSONMember(SharedSchema.session.rawValue, Session.schema))
    }
}

/// What login routes accept and return.
struct LoginDescription {
    let generation: Generation
    let providers: [String: LoginProvider]

    var routes: [DescribedRoute] {
        let accounts = generation.family == .services ? [] : [me, refresh, logout]
        return accounts + [last] + providers.values.sorted { $0.name < $1.name }.flatMap(routes)
    }

    private var root: String { generation.family == .services ? "/login" : "/.auth/login" }

    private static let tag = "logins"

    private var me: DescribedRoute {
        var route = DescribedRoute(.get, "/.auth/me", id: "login_me", tag: Self.tag, "Who the caller is")
        route.admission = .user
        route.parameters = [DescribedParameter("provider", in: .query, "Asks for the identity of one provider.")]
        let identity = JSONValue.object([JSONMember("type", "object")])
        route.answers = [
            ResponseDescription(
                .ok, "The caller's identities.",
                DescribedContent(["anyOf": [["type": "array", "items": identity], identity]])),
            failure(.notLoggedIn(nil)), failure(.storage(.timeout)),
        ]
        return route
    }

    private var refresh: DescribedRoute {
        var route = DescribedRoute(
            .get, "/.auth/refresh", id: "login_refresh", tag: Self.tag, "A new token for an old",
            answers: [Self.session, failure(.notLoggedIn(nil)), failure(.storage(.timeout))])
        route.admission = .user
        return route
    }

    private var logout: DescribedRoute {
        DescribedRoute(
            .get, "/.auth/logout", id: "login_logout", tag: Self.tag, "Ends a login in a browser",
            parameters: [
                DescribedParameter("post_logout_redirect_uri", in: .query, "Where to go then, if it is allowed.")
            ], answers: [Self.page, Self.redirect])
    }

    private var last: DescribedRoute {
        DescribedRoute(
            .get, "\(root)/done", id: "login_done", tag: Self.tag, "The page on which web views end",
            answers: [Self.page])
    }

    private func routes(of provider: LoginProvider) -> [DescribedRoute] {
        let exchange = DescribedRoute(
            .get, "\(root)/\(provider.name)/token", id: "login_exchange_\(provider.name)", tag: Self.tag,
            "A token for a code",
            parameters: ["authorization_code", "code_verifier"].map {
                DescribedParameter($0, in: .query, "Of the flow that began on the provider's page.").required
            }, answers: [Self.session, failure(.codeRefused), failure(.storage(.timeout))])
        return switch provider.kind {
        case .local: [page(provider), logIn(provider), exchange]
        case .external(let login) where login.authorizeURL == nil: [logIn(provider), exchange]
        case .external: [page(provider), logIn(provider), callback(provider), comingBack(provider), exchange]
        }
    }

    private func page(_ provider: LoginProvider) -> DescribedRoute {
        let isHere: Bool = if case .local = provider.kind { true } else { false }
        return DescribedRoute(
            .get, "\(root)/\(provider.name)", id: "login_page_\(provider.name)", tag: Self.tag,
            "Begins a login in a browser",
            parameters: [
                DescribedParameter("post_login_redirect_url", in: .query, "Where to go with the token or code."),
                DescribedParameter("code_challenge", in: .query, "Asks for a code (PKCE)."),
                DescribedParameter("code_challenge_method", in: .query, "S256."),
                DescribedParameter(
                    "completion_type", in: .query, "postMessage or iframe, to tell the opener or parent."),
                DescribedParameter("completion_origin", in: .query, "The page that may be told."),
            ],
            answers: [
                isHere ? Self.page : Self.redirect, failure(.redirectRefused), Self.failurePage(.badRequest),
            ])
    }

    private func logIn(_ provider: LoginProvider) -> DescribedRoute {
        var route = DescribedRoute(
            .post, "\(root)/\(provider.name)", id: "login_\(provider.name)", tag: Self.tag, "Logs in")
        switch provider.kind {
        case .local:
            let names: [JSONValue] = ["username", "password"]
            route.body = [
                DescribedContent(Self.object(["username", "password"], requires: names)),
                DescribedContent(
                    Self.object(["state", "username", "password"], requires: ["state"] + names), as: Self.form),
            ]
            route.answers = [
                Self.session, Self.page, Self.redirect, failure(.bodyUnreadable), failure(.wrongPassword),
                ResponseDescription(
                    .unauthorized, "The form again.", DescribedContent(["type": "string"], as: Self.html)),
                failure(.tooOften(seconds: 1)), failure(.busy), Self.failurePage(.badRequest),
                Self.failurePage(.forbidden), Self.failurePage(.tooManyRequests),
                Self.failurePage(.serviceUnavailable),
            ]
        case .external:
            route.body = [DescribedContent(Self.object(ProviderToken.names, requires: []))]
            route.answers = [
                Self.session, failure(.bodyUnreadable), failure(.tokenRefused(nil)), failure(.tooOften(seconds: 1)),
            ]
        }
        return route
    }

    private func callback(_ provider: LoginProvider) -> DescribedRoute {
        DescribedRoute(
            .post, "\(root)/\(provider.name)/callback", id: "login_callback_\(provider.name)", tag: Self.tag,
            "Where the provider sends users back to",
            body: [
                DescribedContent(Self.object(["state", "id_token"], requires: ["state", "id_token"]), as: Self.form)
            ],
            answers: [
                Self.redirect, Self.page, Self.failurePage(.badRequest), Self.failurePage(.unauthorized),
                failure(.unknownPath), Self.failurePage(.tooManyRequests),
            ])
    }

    private func comingBack(_ provider: LoginProvider) -> DescribedRoute {
        DescribedRoute(
            .get, "\(root)/\(provider.name)/callback", id: "login_return_\(provider.name)", tag: Self.tag,
            "Where the provider sends users back to whom it doesn't let in",
            parameters: ["state", "error"].map { DescribedParameter($0, in: .query, "The provider's word.") },
            answers: [Self.redirect, Self.page, Self.failurePage(.badRequest)])
    }

    /// A page that explains why a login failed and how to go on.
    private static func failurePage(_ status: HTTPStatus) -> ResponseDescription {
        ResponseDescription(
            status, "Why nobody is logged in, as a page.", DescribedContent(["type": "string"], as: html))
    }

    /// Describes a failure with its actual status and text.
    private func failure(_ fault: LoginFault) -> ResponseDescription {
        ErrorResponse(fault).description(in: generation)
    }

    private static let form = "application/x-www-form-urlencoded"
    private static let html = "text/html"

    private static let session = ResponseDescription(
        .ok, "The user and a token.", DescribedContent(SharedSchema.session.reference))
    private static let page = ResponseDescription(.ok, "A page.", DescribedContent(["type": "string"], as: html))
    private static let redirect = ResponseDescription(
        .found, "Leads on.", fields: [DescribedField("Location", "Where to.").certain])

    private static func object(_ names: [String], requires required: [JSONValue]) -> JSONValue {
        [
            "type": "object", "required": .array(required),
            "properties": .object(names.map { JSONMember($0, ["type": "string"]) }),
        ]
    }
}

extension Session {
    /// The form that all client libraries read.
    static let schema: JSONValue = [
        "type": "object", "required": ["user", "authenticationToken"],
        "properties": [
            "user": ["type": "object", "required": ["userId"], "properties": ["userId": ["type": "string"]]],
            "authenticationToken": ["type": "string", "description": "For X-ZUMO-AUTH."],
        ],
    ]
}
