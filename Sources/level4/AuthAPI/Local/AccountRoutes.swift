import Access
import HTTPModel
import JSONText
import Scalars
import Tables
import ZumoProtocol

/// Routes for the holder of a token (v2).
struct AccountRoutes {
    let settings: LoginSettings
    let callers: Callers
    let users: any UserStore

    /// `/.auth/me`: the caller's identities, one per provider; with `provider` only that provider's, or `{}`.
    func me(_ request: HTTPRequest, _ target: RequestTarget) async throws(LoginFault) -> HTTPResponse {
        let caller: Principal
        do throws(CallerFault) {
            caller = try await callers.countedPrincipal(of: request, in: .v2)
        } catch {
            throw LoginFault(error)
        }
        guard let user = caller.user, let token = PresentedToken.of(request) else { throw .notLoggedIn(nil) }
        let provider = user.claims["idp"] ?? "token"
        let claims = IdentityClaims.all(of: token).map {
            ["typ": .string($0.type), "val": .string($0.value)] as JSONValue
        }
        let identity: JSONValue = [
            "provider_name": .string(provider), "user_id": .string(user.id), "user_claims": .array(claims),
        ]
        let wanted = target.query.first { $0.name == "provider" }?.value.lowercased()
        let answer: JSONValue = wanted == nil ? [identity] : wanted == provider.lowercased() ? identity : [:]
        var response = HTTPResponse.json(answer.jsonBytes)
        response.fields.append("Cache-Control", "no-store")
        return response
    }

    /// `/.auth/refresh`: exchanges one of the server's own tokens for a new one, even some time after it expired. The
    /// new token belongs to the same login, and ends with that.
    func refresh(_ request: HTTPRequest, now: Int64) async throws(LoginFault) -> HTTPResponse {
        guard let token = PresentedToken.of(request) else { throw .notLoggedIn(nil) }
        let verifier = callers.authenticator.verifier.current
        let user: Principal.User
        do throws(TokenFault) {
            user = try verifier.verifyForRefresh(token, grace: settings.refreshGrace, now: now)
        } catch {
            throw .notLoggedIn(error, words: verifier.words(for: error, of: token, now: now))
        }
        // Without the provider it is unknown whether the user still exists.
        if let provider = user.claims["idp"], settings.provider(named: provider) == nil {
            throw .notLoggedIn(nil, words: "Its provider is none of auth.providers any more.")
        }
        do throws(CallerFault) {
            try await callers.count(.user(user), of: request)
        } catch {
            throw LoginFault(error)
        }
        let claims = user.claims.filter { !TokenMinter.reservedClaims.contains($0.key) }
        return try Session(
            userID: user.id, claims: claims, loggedInAt: user.loggedInAt ?? now * 1_000, settings: settings, now: now
        ).response
    }

    /// `/.auth/logout`: ends the login of the token in the request, as .NET's `LogoutAsync` does, or all of the user's
    /// logins if the settings say so. Without a token there is nothing to end: an app discards its token by itself.
    func logout(_ request: HTTPRequest, _ target: RequestTarget, at now: Int64) async throws(LoginFault) -> HTTPResponse
    {
        let words = try await endLogin(shownBy: request, at: now)
        let names = ["post_logout_redirect_uri", "post_logout_redirect_url"]
        guard let url = target.query.first(where: { names.contains($0.name) })?.value,
            settings.allowsRedirect(to: url)
        else { return LoginPages.loggedOut(words) }
        return .redirect(to: url)
    }

    /// - Returns: a text about what was ended, for the person who reads the page.
    private func endLogin(shownBy request: HTTPRequest, at now: Int64) async throws(LoginFault) -> String {
        guard let token = PresentedToken.of(request) else {
            return
                "You are logged out of this page. No login came along that could be ended; an app forgets its own by itself."
        }
        // An invalid token, or one that belongs to no login, needs no end.
        guard
            let user = try? callers.authenticator.verifier.current.verifyForRefresh(
                token, grace: settings.refreshGrace, now: now / 1_000), let name = LoginName(user)
        else { return "You are logged out. The token that came along is of no login that could be ended." }
        let end = Instant(milliseconds: now + Self.memory(settings))
        do throws(TableError) {
            try await users.endLogin(name.login, at: Instant(milliseconds: now), until: end)
            guard settings.logoutEndsAll else {
                return "You are logged out: this login is ended. Those on other devices go on."
            }
            // Ended as an operator would do it, so that later logins of a `local` user are handled alike.
            if let local = try await LocalSessions.account(of: user.id, in: users) {
                _ = try await users.endTokens(ofUser: local.name)
            } else {
                let now = Instant(milliseconds: max(now, user.loggedInAt ?? 0))
                try await users.endLogin(name.user, at: now, until: end)
            }
        } catch {
            throw .storage(error)
        }
        return "You are logged out: all logins of this user are ended."
    }

    /// How long an ended login is remembered, in milliseconds: longer than any of its tokens can be renewed, even if
    /// the settings allow more time later.
    private static func memory(_ settings: LoginSettings) -> Int64 {
        let longest = max(settings.sessionLifetime, .seconds(365 * 86_400)).components.seconds
        return min(longest, 100 * 365 * 86_400) * 2_000
    }
}
