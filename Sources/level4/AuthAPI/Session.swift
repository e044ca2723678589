import Access
import HTTPModel
import JSONText

/// The result of a login: a user's id and a token, in the form that all client SDKs read.
struct Session {
    let userID: String
    let token: String

    /// Signs a token for a user.
    /// - Parameters:
    ///   - claims: further claims of the token; `idp` names the provider.
    ///   - loggedInAt: the time of the login in milliseconds since 1970, by which the session's end limits the token's.
    init(
        userID: String, claims: [String: String], loggedInAt: Int64, settings: LoginSettings, now: Int64
    ) throws(LoginFault) {
        self.userID = userID
        let minter = TokenMinter(
            key: settings.signingKey, issuer: settings.issuer, audience: settings.audience)
        let rest = loggedInAt / 1_000 + settings.sessionLifetime.components.seconds - now
        guard rest > 0 else { throw .notLoggedIn(.expired) }
        do throws(MintFault) {
            token = try minter.mint(
                user: userID, claims: claims, lifetime: min(settings.lifetime, .seconds(rest)), now: now,
                loggedInAt: loggedInAt)
        } catch {
            throw .minting(error)
        }
    }

    /// `{"user":{"userId":…},"authenticationToken":…}`.
    var json: [UInt8] {
        let session: JSONValue = ["user": ["userId": .string(userID)], "authenticationToken": .string(token)]
        return session.jsonBytes
    }

    var response: HTTPResponse {
        var response = HTTPResponse.json(json)
        response.fields.append("Cache-Control", "no-store")
        return response
    }
}

/// A user whose login succeeded.
struct LoginResult {
    let userID: String
    /// The provider's name.
    let provider: String
    /// The time of the login, in milliseconds since 1970.
    let at: Int64
    /// What the provider said about the user.
    var told: [String: String] = [:]

    /// Creates a token for the user.
    func session(_ settings: LoginSettings, now: Int64) throws(LoginFault) -> Session {
        let claims = told.merging(["idp": provider, LoginName.claim: Nonce.make()]) { $1 }
        return try Session(userID: userID, claims: claims, loggedInAt: at, settings: settings, now: now)
    }
}
