import Access
import ByteText
import HTTPModel
import Scalars
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
    /// The path of the provider's page on this server.
    private var address: String { request.publicAddress.path + path }

    private var cookies: LoginCookies {
        LoginCookies(request: request.http, isSecure: request.publicBase.hasPrefix("https:"))
    }

    /// The page on which a user logs in, here or at the provider's.
    func page() throws(LoginFault) -> HTTPResponse {
        let flow = try LoginFlow(
            request.target.query, provider: request.provider.name, settings: settings, now: request.now)
        let state = flow.sealed(by: seal)
        var response: HTTPResponse
        var isFromAbroad = false
        switch request.provider.kind {
        case .local: response = LoginPages.form(action: address, state: state)
        case .external(let login):
            guard let url = login.authorizeURL else { throw .noPage(request.provider.name) }
            response = .redirect(to: address(of: url, login, flow, state))
            isFromAbroad = true
        }
        cookies.set(flow, isFromAbroad: isFromAbroad, on: &response)
        return response
    }

    /// Logs a user in with what a page's form or an app sends.
    func logIn() async throws(LoginFault) -> HTTPResponse {
        switch (request.provider.kind, request.isForm) {
        case (.local, true): return try await logInByForm()
        case (.local, false):
            let texts = try request.texts()
            guard let name = texts["username"], let password = texts["password"] else { throw .bodyUnreadable }
            return try session(of: try await local.check(name, password, from: request.client, at: request.at))
        case (.external(let login), false):
            let (user, told) = try providerUser(in: try request.texts(), by: login)
            return try session(of: try await proven(user, told))
        case (.external, true): throw .bodyUnreadable
        }
    }

    private func logInByForm() async throws(LoginFault) -> HTTPResponse {
        let form = try request.form()
        let flow: LoginFlow
        switch self.flow(of: form) {
        case .good(let found): flow = found
        case .lost(let found): return failure(.stateRefused, in: found)
        }
        guard request.isFromOwnPage else { return failure(.pageRefused, in: nil) }
        guard value("cancel", of: form).isEmpty else { return cancelled(flow) }
        do throws(LoginFault) {
            let user = try await local.check(
                value("username", of: form), value("password", of: form), from: request.client, at: request.at)
            return try handOver(flow).response(loggedIn(user), settings, now: request.now)
        } catch {
            switch error {
            // The user may try again, or cancel with the page's button, which the app is told.
            case .wrongPassword, .tooOften, .busy, .storage:
                return LoginPages.form(action: address, state: flow.sealed(by: seal), fault: ErrorResponse(error))
            default: return failure(error, in: flow)
            }
        }
    }

    /// The route to which the provider sends the user back: with its token in a form, or with an error, in a form or in
    /// the address.
    func callback() async throws(LoginFault) -> HTTPResponse {
        guard case .external(let login) = request.provider.kind, request.isForm || request.http.method == .get else {
            throw .unknownPath
        }
        let form = request.isForm ? try request.form() : request.target.query
        let word = value("error", of: form)
        let flow: LoginFlow
        switch self.flow(of: form) {
        case .good(let found): flow = found
        case .lost(let found):
            // A refusal may be reported to any browser that brings it, however late.
            if let found, !word.isEmpty { return refused(found, word) }
            return failure(.stateRefused, in: found)
        }
        guard word.isEmpty else { return refused(flow, word) }
        do throws(LoginFault) {
            // A token in an address would end up in histories and logs.
            guard request.http.method == .post else { throw .stateRefused }
            let (user, told) = try providerUser(in: ["id_token": value("id_token", of: form)], by: login)
            guard let nonce = user.claims["nonce"], nonce.isExactly(flow.nonce) else { throw .stateRefused }
            return try handOver(flow).response(loggedIn(try await proven(user, told)), settings, now: request.now)
        } catch {
            return failure(error, in: flow)
        }
    }

    /// The error codes for users who cancelled: OAuth's, and Apple's and Facebook's own.
    private static let cancels = ["access_denied", "user_cancelled_authorize", "user_cancelled_login", "user_denied"]

    private func cancelled(_ flow: LoginFlow) -> HTTPResponse {
        let fault = ErrorResponse(.cancelled)
        var response = handOver(flow).failure(fault.text)
        response.reason = fault.text
        return response
    }

    private func refused(_ flow: LoginFlow, _ word: String) -> HTTPResponse {
        if Self.cancels.contains(word) { return cancelled(flow) }
        // Anyone who knows the address can send this word, so it goes only to the log.
        let known = word.utf8.prefix(40).allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
        let fault = ErrorResponse(.refusedByProvider(known ? String(word.prefix(40)) : "something else"))
        var response = handOver(flow).failure(fault.text)
        response.reason = fault.detail
        return response
    }

    /// Returns a page that says why a login failed, and that tells the app, if it is known how.
    private func failure(_ fault: LoginFault, in flow: LoginFlow?) -> HTTPResponse {
        let response = ErrorResponse(fault)
        guard let flow else { return LoginPages.failure(response, back: nil, again: address) }
        let again = address + flow.query
        if case .message(let recipient, let origin) = flow.completion {
            return LoginPages.failure(response, back: nil, again: again, message: (recipient, origin))
        }
        return LoginPages.failure(response, back: handOver(flow).address(ofFailure: response.text), again: again)
    }

    /// Returns the user of a provider's token. Bad tokens count as attempts of the address.
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

    /// Returns a provider's user who logs in now. If a server with a clock ahead of this one has ended all of the
    /// user's logins, the time is set later; otherwise the new login would be one of those.
    private func proven(_ user: Principal.User, _ told: [String: String]) async throws(LoginFault) -> AuthenticatedUser
    {
        guard settings.logoutEndsAll else {
            return AuthenticatedUser(name: user.id, loggedInAt: request.at, told: told)
        }
        do throws(TableError) {
            let name = LoginName.all(ofUser: request.provider.userID(user.id))
            let end = try await local.users.ends(ofLogins: [name]).first?.at
            return AuthenticatedUser(
                name: user.id, loggedInAt: max(request.at, end?.next.milliseconds ?? 0), told: told)
        } catch {
            throw .storage(error)
        }
    }

    /// Exchanges a code for a token.
    func exchange() async throws(LoginFault) -> HTTPResponse {
        let code = request.queryValue("authorization_code") ?? ""
        let verifier = request.queryValue("code_verifier") ?? ""
        let taken: LoginResult?
        do throws(TableError) {
            taken = try await codes.redeem(
                code, verifier: verifier, now: request.now, trusted: request.trusted)
        } catch {
            throw .storage(error)
        }
        guard let found = taken, found.provider == request.provider.name else { throw .codeRefused }
        return try found.session(settings, now: request.now).response
    }

    private func loggedIn(_ user: AuthenticatedUser) -> LoginResult {
        LoginResult(
            userID: request.provider.userID(user.name), provider: request.provider.name, at: user.loggedInAt,
            told: user.told)
    }

    private func session(of user: AuthenticatedUser) throws(LoginFault) -> HTTPResponse {
        try loggedIn(user).session(settings, now: request.now).response
    }

    /// What the state in a response says.
    private enum FoundFlow {
        /// The login was begun by this browser, recently.
        case good(LoginFlow)
        /// The login was begun by another browser or too long ago; nil if this server never began it.
        case lost(LoginFlow?)
    }

    private func flow(of form: [QueryMember]) -> FoundFlow {
        guard let flow = LoginFlow(value("state", of: form), by: seal, provider: request.provider.name) else {
            return .lost(nil)
        }
        return request.now < flow.expiry && cookies.contain(flow) ? .good(flow) : .lost(flow)
    }

    private func handOver(_ flow: LoginFlow) -> LoginHandoff {
        LoginHandoff(flow: flow, lastPage: "\(request.publicBase)\(request.root)/done", codes: codes)
    }

    private func value(_ name: String, of form: [QueryMember]) -> String {
        form.first { $0.name == name }?.value ?? ""
    }

    /// The implicit flow of OpenID Connect with a form (OAuth 2.0 Form Post Response Mode): the browser delivers the
    /// token, so that the server needs no connection to the provider.
    private func address(of url: String, _ login: ExternalLogin, _ flow: LoginFlow, _ state: String) -> String {
        let members = [
            ("client_id", login.clientID), ("response_type", "id_token"), ("response_mode", "form_post"),
            ("scope", "openid"), ("nonce", flow.nonce), ("state", state),
            ("redirect_uri", "\(request.publicBase)\(path)/callback"),
        ]
        return url + (url.contains("?") ? "&" : "?") + PercentEncoding.query(members)
    }
}
