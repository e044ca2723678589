import Access
import HTTPModel
import JSONText

/// What a login gives: a user's id and a token, in the form that every client SDK reads.
struct Session {
    let userID: String
    let token: String

    /// Signs a token for a user.
    /// - Parameters:
    ///   - claims: what else the token says; `idp` names the provider.
    ///   - loggedInAt: when the login was, in milliseconds since 1970; the token ends with its session.
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
    /// When it did, in milliseconds since 1970.
    let at: Int64
    /// What the provider said about the user.
    var told: [String: String] = [:]

    /// A token for the user.
    func session(_ settings: LoginSettings, now: Int64) throws(LoginFault) -> Session {
        let claims = told.merging(["idp": provider, LoginName.claim: Nonce.make()]) { $1 }
        return try Session(userID: userID, claims: claims, loggedInAt: at, settings: settings, now: now)
    }
}
