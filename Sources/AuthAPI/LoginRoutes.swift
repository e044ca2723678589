import Access
import HTTPModel
import Tables
import ZumoProtocol

/// The routes of one provider.
struct LoginRoutes {
    let request: LoginRequest
    let local: LocalLogin
    let codes: ExchangeCodes
    let seal: TextSeal

    private var settings: LoginSettings { request.settings }
    private var path: String { "\(request.root)/\(request.provider.name)" }

    /// The cookie that binds a flow to a browser.
    static let cookie = "zumod-login"

    /// The page on which a user logs in, here or at the provider's.
    func page() throws(LoginFault) -> HTTPResponse {
        let flow = try LoginFlow(
            request.target.query, provider: request.provider.name, settings: settings, now: request.now)
        let state = flow.sealed(by: seal)
        var response: HTTPResponse
        switch request.provider.kind {
        case .local: response = LoginPages.form(action: path, state: state)
        case .external(let login):
            guard let url = login.authorizeURL else { throw .noPage(request.provider.name) }
            response = .redirect(to: address(of: url, login, flow, state))
        }
        response.fields.append("Set-Cookie", cookieField(flow))
        return response
    }

    /// A login by a page's form, or by what an app sends.
    func logIn() async throws(LoginFault) -> HTTPResponse {
        switch (request.provider.kind, request.isForm) {
        case (.local, true): return try await logInByForm()
        case (.local, false):
            let texts = try request.texts()
            guard let name = texts["username"], let password = texts["password"] else { throw .bodyUnreadable }
            return try session(of: try await local.check(name, password, from: request.client, at: request.at))
        case (.external(let login), false):
            let (user, told) = try providerUser(in: try request.texts(), by: login)
            return try session(of: ProvenUser(name: user.id, loggedInAt: request.at, told: told))
        case (.external, true): throw .bodyUnreadable
        }
    }

    private func logInByForm() async throws(LoginFault) -> HTTPResponse {
        let form = try request.form()
        let flow = try flow(of: form)
        let name = value("username", of: form)
        do throws(LoginFault) {
            let user = try await local.check(
                name, value("password", of: form), from: request.client, at: request.at)
            return try handOver(flow).response(loggedIn(user), settings, now: request.now)
        } catch .wrongPassword {
            let fault = ErrorResponse(.wrongPassword).text
            var page = LoginPages.form(action: path, state: flow.sealed(by: seal), fault: fault)
            page.reason = fault
            return page
        }
    }

    /// Where the provider sends the user back to, with its token in a form.
    func callback() throws(LoginFault) -> HTTPResponse {
        guard case .external(let login) = request.provider.kind, request.isForm else { throw .unknownPath }
        let form = try request.form()
        let flow = try flow(of: form)
        let (user, told) = try providerUser(in: ["id_token": value("id_token", of: form)], by: login)
        guard user.claims["nonce"] == flow.nonce else { throw .stateRefused }
        return try handOver(flow).response(
            loggedIn(ProvenUser(name: user.id, loggedInAt: request.at, told: told)), settings, now: request.now)
    }

    /// Whom a provider's token is about. Bad ones count as attempts of the address.
    private func providerUser(
        in texts: [String: String], by login: ExternalLogin
    ) throws(LoginFault) -> (user: Principal.User, told: [String: String]) {
        let attempts = local.attempts.ofAddress
        if let seconds = attempts.waitAhead(of: request.client) { throw .tooOften(seconds: seconds) }
        do throws(LoginFault) {
            return try ProviderToken.user(in: texts, by: login, now: request.now)
        } catch {
            if case .tokenRefused(let fault, let words) = error {
                _ = attempts.wait(for: request.client)
                local.report(
                    AccessFailure(
                        .providerToken, from: request.client, reason: words ?? fault?.rawValue ?? "There is no token.")
                )
            }
            throw error
        }
    }

    /// The token for a code.
    func exchange() async throws(LoginFault) -> HTTPResponse {
        let code = request.queryValue("authorization_code") ?? ""
        let verifier = request.queryValue("code_verifier") ?? ""
        let taken: LoggedIn?
        do throws(TableError) {
            taken = try await codes.redeem(
                code, verifier: verifier, now: request.now, trusted: request.trusted)
        } catch {
            throw .storage(error)
        }
        guard let found = taken, found.provider == request.provider.name else { throw .codeRefused }
        return try found.session(settings, now: request.now).response
    }

    private func loggedIn(_ user: ProvenUser) -> LoggedIn {
        LoggedIn(
            userID: request.provider.userID(user.name), provider: request.provider.name, at: user.loggedInAt,
            told: user.told)
    }

    private func session(of user: ProvenUser) throws(LoginFault) -> HTTPResponse {
        try loggedIn(user).session(settings, now: request.now).response
    }

    /// The flow that a form belongs to, begun by this browser.
    private func flow(of form: [QueryMember]) throws(LoginFault) -> LoginFlow {
        guard
            let flow = LoginFlow(
                value("state", of: form), by: seal, provider: request.provider.name, now: request.now),
            cookies.contains("\(Self.cookie)=\(flow.nonce)")
        else { throw .stateRefused }
        return flow
    }

    private var cookies: [String] {
        request.http.fields.values("Cookie").flatMap { $0.split(separator: ";") }.map { $0.filter { $0 != " " } }
    }

    /// Browsers send a cookie with the provider's form only where it says so, and then want a secure connection.
    private func cookieField(_ flow: LoginFlow) -> String {
        let isSecure = request.publicBase.hasPrefix("https:")
        return "\(Self.cookie)=\(flow.nonce); Path=\(request.root); Max-Age=\(LoginFlow.patience); HttpOnly; "
            + (isSecure ? "Secure; SameSite=None" : "SameSite=Lax")
    }

    private func handOver(_ flow: LoginFlow) -> HandOver {
        HandOver(flow: flow, lastPage: "\(request.publicBase)\(request.root)/done", codes: codes)
    }

    private func value(_ name: String, of form: [QueryMember]) -> String {
        form.first { $0.name == name }?.value ?? ""
    }

    /// OpenID Connect's implicit flow with a form (OAuth 2.0 Form Post Response Mode): the token comes by the browser,
    /// so that the server itself need not reach the provider.
    private func address(of url: String, _ login: ExternalLogin, _ flow: LoginFlow, _ state: String) -> String {
        let members = [
            ("client_id", login.clientID), ("response_type", "id_token"), ("response_mode", "form_post"),
            ("scope", "openid"), ("nonce", flow.nonce), ("state", state),
            ("redirect_uri", "\(request.publicBase)\(path)/callback"),
        ]
        var bytes = Array(url.utf8)
        for (index, member) in members.enumerated() {
            bytes.append(index == 0 && !url.contains("?") ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            bytes.append(contentsOf: member.0.utf8)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.encode(member.1, into: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
