import Access
import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// What somebody with a token can ask about it (v2).
struct AccountRoutes {
    let settings: LoginSettings
    let callers: Callers
    let users: any UserStore

    /// `/.auth/me`: the caller's identities, one for each provider; with `provider` the one of it, or `{}`.
    func me(_ request: HTTPRequest, _ target: RequestTarget, now: Int64) throws(LoginFault) -> HTTPResponse {
        let caller: Principal
        do throws(CallerFault) {
            caller = try callers.principal(of: request, in: .v2)
        } catch {
            throw LoginFault(error)
        }
        guard let user = caller.user else { throw .notLoggedIn(nil) }
        let provider = user.claims["idp"] ?? "token"
        var json = JSONWriter()
        if let wanted = target.query.first(where: { $0.name == "provider" })?.value {
            if wanted.lowercased() == provider { write(user, provider, to: &json) } else { json.raw("{}") }
        } else {
            json.raw("[")
            write(user, provider, to: &json)
            json.raw("]")
        }
        var response = HTTPResponse(.ok, body: json.bytes)
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        response.fields.append("Cache-Control", "no-store")
        return response
    }

    private func write(_ user: Principal.User, _ provider: String, to json: inout JSONWriter) {
        json.raw("{\"provider_name\":")
        json.string(provider)
        json.raw(",\"user_id\":")
        json.string(user.id)
        json.raw(",\"user_claims\":[")
        for (index, claim) in user.claims.sorted(by: { $0.key < $1.key }).enumerated() {
            json.raw(index == 0 ? "{\"typ\":" : ",{\"typ\":")
            json.string(claim.key)
            json.raw(",\"val\":")
            json.string(claim.value)
            json.raw("}")
        }
        json.raw("]}")
    }

    /// `/.auth/refresh`: a new token for one of the server's own, also for one that expired a while ago.
    func refresh(_ request: HTTPRequest, now: Int64) async throws(LoginFault) -> HTTPResponse {
        guard let token = request.fields["X-ZUMO-AUTH"] ?? request.fields["Authorization"], !token.isEmpty else {
            throw .notLoggedIn(nil)
        }
        let user: Principal.User
        do throws(TokenFault) {
            user = try callers.authenticator.verifier.current.verifyForRefresh(
                token, grace: settings.refreshGrace, now: now)
        } catch {
            throw .notLoggedIn(error)
        }
        do throws(CallerFault) { try callers.count(user) } catch { throw LoginFault(error) }
        try await checkStillThere(user)
        let claims = user.claims.filter { !TokenMinter.reservedClaims.contains($0.key) }
        return try Session(userID: user.id, claims: claims, settings: settings, now: now).response
    }

    /// A user who was removed gets no new token.
    private func checkStillThere(_ user: Principal.User) async throws(LoginFault) {
        let prefix = LoginProvider.local.userID("")
        guard user.claims["idp"] == LoginProvider.local.name, user.id.hasPrefix(prefix) else { return }
        let hash: String?
        do throws(TableError) {
            hash = try await users.passwordHash(ofUser: String(user.id.dropFirst(prefix.count)))
        } catch {
            throw .storage(error)
        }
        guard hash != nil else { throw .notLoggedIn(nil) }
    }

    /// `/.auth/logout`: the app forgets its token; nothing is kept here that could be ended.
    func logout(_ target: RequestTarget) -> HTTPResponse {
        let names = ["post_logout_redirect_uri", "post_logout_redirect_url"]
        guard let url = target.query.first(where: { names.contains($0.name) })?.value,
            settings.allowsRedirect(to: url)
        else { return LoginPages.loggedOut }
        return .redirect(to: url)
    }
}
