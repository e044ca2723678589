import Access
public import HTTPModel
import Scalars
public import Tables
public import ZumoProtocol

/// Why a login was refused.
public struct LoginRefusal: Error, Sendable {
    /// The response to the user.
    public let response: ErrorResponse
}

/// Answers `/.auth/…` (v2, v3) and `/login/…` (v1): logs users in and issues tokens.
public struct AuthRouter: Route {
    let settings: LoginSettings
    private let callers: Callers
    private let local: LocalLogin
    private let codes: ExchangeCodes
    private let seal: TextSeal

    /// Creates a router.
    /// - Parameters:
    ///   - users: the users of the provider `local`.
    ///   - memory: state that outlives these settings.
    public init(
        _ settings: LoginSettings, callers: Callers, users: any UserStore,
        memory: LoginRuntimeState = LoginRuntimeState()
    ) {
        self.settings = settings
        self.callers = callers
        local = LocalLogin(
            users: users, passwords: memory.passwords, attempts: memory.attempts,
            marks: TextSeal(key: settings.signingKey, purpose: "names in the log"), report: callers.report)
        codes = ExchangeCodes(key: settings.signingKey, older: settings.oldSigningKeys, users: users)
        seal = TextSeal(key: settings.signingKey, older: settings.oldSigningKeys, purpose: "login flow")
    }

    /// Its requests are counted separately.
    public var group: RouteGroup { .auth }

    /// Answers a request whose path begins with `.auth` or `login`, in any case.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        let path = target.segments.map { $0.lowercased() }
        guard path.first == ".auth" || path.first == "login" else { return nil }
        let generation: Generation = path.first == "login" ? .v1 : .v2
        do throws(LoginFault) {
            return RouteResponse(try await response(to: request, target, path))
        } catch {
            let failure = ErrorResponse(error)
            guard Self.isForPerson(request, path) else { return RouteResponse(failure, in: generation) }
            return RouteResponse(LoginPages.failure(failure, back: nil, again: nil), detail: failure.detail)
        }
    }

    /// Whether a browser shows the answer to a person who wants to log in, as opposed to a program that reads it.
    private static func isForPerson(_ request: HTTPRequest, _ path: [String]) -> Bool {
        request.method == .get && path.contains("login") && path.last != "token"
            && request.fields["Accept"]?.lowercased().contains("text/html") == true
    }

    private func response(
        to http: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async throws(LoginFault) -> HTTPResponse {
        let account = AccountRoutes(settings: settings, callers: callers, users: local.users)
        switch path {
        case [".auth", "me"]:
            try allow([.get, .head], http)
            return try await account.me(http, target)
        case [".auth", "refresh"]:
            try allow([.get, .post], http)
            return try await account.refresh(http, now: now / 1_000)
        case [".auth", "logout"]:
            try allow([.get, .post], http)
            return try await account.logout(http, target, at: now)
        case [".auth", "login", "done"], ["login", "done"]:
            try allow([.get, .head], http)
            return LoginPages.last
        case ["login"]:
            // The oldest clients name no provider, as there was only one.
            return try await login(http, target, provider: "microsoftaccount", rest: [])
        default:
            let prefix = path.first == "login" ? 1 : 2
            guard path.first == "login" || path.starts(with: [".auth", "login"]), path.count > prefix else {
                throw .unknownPath
            }
            return try await login(http, target, provider: path[prefix], rest: Array(path[(prefix + 1)...]))
        }
    }

    /// Returns a token with the admin role for a `local` user who administers the server, for the data page. The tokens
    /// that apps get never have that role, so an admin's phone sees no more than any other.
    /// - Parameter address: the client's address, by which attempts are counted.
    /// - Throws: the response to the user.
    public func adminToken(
        ofUser name: String, password: String, from address: String
    ) async throws(LoginRefusal) -> String {
        do throws(LoginFault) {
            guard settings.providers[LoginProvider.local.name] != nil else {
                throw .unknownProvider(LoginProvider.local.name)
            }
            let user = try await local.check(name, password, from: address, at: now)
            guard user.isAdmin else { throw .notAdmin }
            let claims = ["idp": LoginProvider.local.name, "role": "admin"]
            return try Session(
                userID: LoginProvider.local.userID(user.name), claims: claims, loggedInAt: user.loggedInAt,
                settings: settings, now: now / 1_000
            ).token
        } catch {
            throw LoginRefusal(response: ErrorResponse(error))
        }
    }

    /// In milliseconds since 1970.
    private var now: Int64 { callers.clock().milliseconds }

    private func allow(_ methods: [HTTPMethod], _ request: HTTPRequest) throws(LoginFault) {
        guard methods.contains(request.method) else {
            throw .methodNotAllowed(request.method, allowed: methods.map(\.name).joined(separator: ","))
        }
    }

    private func login(
        _ http: HTTPRequest, _ target: RequestTarget, provider name: String, rest: [String]
    ) async throws(LoginFault) -> HTTPResponse {
        guard let provider = settings.provider(named: name) else { throw .unknownProvider(name) }
        let request = LoginRequest(
            http: http, target: target, provider: provider, settings: settings, at: now, trusted: callers.trusted())
        let routes = LoginRoutes(request: request, local: local, codes: codes, seal: seal)
        switch rest {
        case []:
            try allow([.get, .head, .post], http)
            return http.method == .post ? try await routes.logIn() : try routes.page()
        case ["callback"]:
            try allow(provider.hasPage ? [.get, .post] : [.post], http)
            return try await routes.callback()
        case ["token"]:
            try allow([.get], http)
            return try await routes.exchange()
        default: throw .unknownPath
        }
    }
}
