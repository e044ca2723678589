import ByteText
internal import JSONText

/// What the claims of a token have to say, once its signature holds.
struct TokenProfile: Sendable {
    let issuers: [String]
    /// nil: any, as v1 had the provider's name there.
    let audiences: [String]?
    let userClaim: String
    let requiresExpiry: Bool
    /// How far the clocks of issuer and server may differ, in seconds.
    let skew: Double
    /// The app whose logins the tokens tell, by the name under which their issuer knows it: an `azp` is this (OpenID Connect
    /// Core section 2). nil for tokens that tell no login.
    var client: String?

    /// v2 and v3. Tokens without `exp` never expire, as on the .NET server.
    /// - Parameter client: the app whose logins they tell, which always end.
    static func appService(issuers: [String], audiences: [String], loginsOf client: String? = nil) -> TokenProfile {
        TokenProfile(
            issuers: issuers, audiences: audiences, userClaim: "sub", requiresExpiry: client != nil,
            skew: Double(TokenVerifier.skew.components.seconds), client: client)
    }

    /// v1, by the rules of its runtime.
    static let mobileServices = TokenProfile(
        issuers: ["urn:microsoft:windows-azure:zumo"], audiences: nil, userClaim: "uid", requiresExpiry: true,
        skew: Double(TokenVerifier.mobileServicesSkew.components.seconds))

    /// Checks the claims and finds the user in them.
    /// - Parameter grace: how long after its expiry the token still counts.
    func user(
        in claims: StrictObject, now: Int64, grace: Duration = .zero
    ) throws(TokenFault) -> Principal.User {
        try checkTimes(of: claims, now: Double(now), grace: Double(grace.components.seconds))
        guard let issuer = claims.text("iss"), issuers.contains(where: issuer.isExactly) else { throw .wrongIssuer }
        try checkAudience(of: claims)
        if let client, let party = claims["azp"] {
            guard party == .string(client) else { throw .wrongAudience }
        }
        guard let id = claims.text(userClaim), !id.isEmpty else { throw .missingUser }
        let texts = claims.members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        return Principal.User(
            id: id, claims: texts, isAdmin: Self.hasAdminRole(claims), loggedInAt: loginTime(of: claims))
    }

    /// In milliseconds; the calendar ends before the number does. What some issuers write in other forms says nothing.
    private func loginTime(of claims: StrictObject) -> Int64? {
        for name in ["auth_time", "iat", "nbf"] {
            guard let time = try? seconds(name, of: claims) else { continue }
            return Int64(exactly: (min(max(time, 0), 1e12) * 1_000).rounded())
        }
        return nil
    }

    private func checkTimes(of claims: StrictObject, now: Double, grace: Double) throws(TokenFault) {
        if let expiry = try seconds("exp", of: claims) {
            guard now < expiry + skew + grace else { throw .expired }
        } else if requiresExpiry {
            throw .missingExpiry
        }
        if let start = try seconds("nbf", of: claims) {
            guard now >= start - skew else { throw .notYetValid }
        }
    }

    /// A date of a token: seconds since 1970, with or without a fraction.
    private func seconds(_ name: String, of claims: StrictObject) throws(TokenFault) -> Double? {
        switch claims[name] {
        case nil: nil
        case .integer(let whole): Double(whole)
        case .number(let number), .precise(_, let number): number
        default: throw .malformed
        }
    }

    private func checkAudience(of claims: StrictObject) throws(TokenFault) {
        guard let audiences else { return }
        switch claims["aud"] {
        case .string(let audience):
            guard audiences.contains(where: audience.isExactly) else { throw .wrongAudience }
        case .array(let list):
            guard audiences.contains(where: { list.contains(.string($0)) }) else { throw .wrongAudience }
        default: throw .wrongAudience
        }
    }

    private static func hasAdminRole(_ claims: StrictObject) -> Bool {
        let admin = JSONValue.string("admin")
        if claims["role"] == admin || claims["roles"] == admin { return true }
        if case .array(let roles) = claims["roles"] { return roles.contains(admin) }
        return false
    }
}
