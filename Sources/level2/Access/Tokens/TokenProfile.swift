import ByteText
internal import JSONText

/// The requirements on a token's claims, once its signature is verified.
struct TokenProfile: Sendable {
    /// The accepted issuers; nil for any.
    let issuers: [AcceptedIssuer]?
    /// The accepted audiences; nil for any, as v1 had the provider's name there.
    let audiences: [String]?
    let userClaim: String
    let requiresExpiry: Bool
    /// The maximum difference between the issuer's clock and the server's, in seconds.
    let skew: Double
    /// Whether scripts sign them: roles in them are ignored, and their users are never the server's own.
    var isOfScripts = false

    /// The profile of v2 and v3. Tokens without `exp` never expire, as on the .NET server.
    /// - Parameters:
    ///   - tellsLogin: whether they attest a login (id_tokens), which always expires.
    ///   - userClaim: the claim that identifies the user.
    static func appService(
        issuers: [String], audiences: [String], tellsLogin: Bool = false, userClaim: String = "sub"
    ) -> TokenProfile {
        TokenProfile(
            issuers: issuers.map(AcceptedIssuer.init), audiences: audiences, userClaim: userClaim,
            requiresExpiry: tellsLogin, skew: Double(TokenVerifier.skew.components.seconds))
    }

    /// The profile of v1, by the rules of its runtime.
    static let mobileServices = TokenProfile(
        issuers: [AcceptedIssuer("urn:microsoft:windows-azure:zumo")], audiences: nil, userClaim: "uid",
        requiresExpiry: true, skew: Double(TokenVerifier.mobileServicesSkew.components.seconds))

    /// The profile of tokens signed by scripts: their key is for nothing else, and makes no one an operator.
    static let scripts = TokenProfile(
        issuers: nil, audiences: nil, userClaim: "sub", requiresExpiry: false,
        skew: Double(TokenVerifier.skew.components.seconds), isOfScripts: true)

    /// Checks the claims and returns the user that they identify.
    /// - Parameters:
    ///   - keyIssuer: the issuer that the key signs for, if its set says so.
    ///   - grace: how long after its expiry the token is still accepted.
    func user(
        in claims: StrictObject, keyIssuer: String? = nil, now: Int64, grace: Duration = .zero
    ) throws(TokenRefusal) -> Principal.User {
        // The issuer is checked first: of several profiles, the error of the one for this issuer is reported.
        let issuer = try issuer(of: claims, keyIssuer)
        try checkTimes(of: claims, now: now, grace: Double(grace.components.seconds))
        try checkAudience(of: claims)
        guard let id = claims.text(userClaim), !id.isEmpty else {
            throw TokenRefusal(.missingUser, (userClaim, claims.shown(userClaim), ["a text"]))
        }
        guard !isOfScripts || !id.hasPrefix("local:") else {
            throw TokenRefusal(.missingUser, (userClaim, claims.shown(userClaim), ["a user of the project's own"]))
        }
        try checkVouched(claims, byAnyTenant: issuer?.hasTenants ?? false)
        let texts = claims.members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        return Principal.User(
            id: id, claims: texts, isAdmin: !isOfScripts && TokenRoles.contain("admin", in: claims),
            loggedInAt: loginTime(of: claims))
    }

    /// Rejects an unverified address or number, which may be anyone's: if its provider says so, or if the administrator
    /// of any tenant can set it and nothing says that it is the tenant's (Entra does with `xms_edov`).
    private func checkVouched(_ claims: StrictObject, byAnyTenant: Bool) throws(TokenRefusal) {
        guard let voucher = Self.voucher(for: userClaim) else { return }
        if claims.isDenied(voucher) {
            throw TokenRefusal(.missingUser, (voucher, claims.shown(voucher), ["true"]))
        }
        guard byAnyTenant, !claims.isAffirmed(voucher) else { return }
        guard userClaim == "email", claims.isAffirmed("xms_edov") else {
            throw TokenRefusal(.missingUser, (voucher, claims.shown(voucher), ["true, as any tenant may claim it"]))
        }
    }

    /// Returns the claim by which a provider verifies another (OpenID Connect Core section 5.1).
    private static func voucher(for claim: String) -> String? {
        switch claim {
        case "email": "email_verified"
        case "phone_number": "phone_number_verified"
        default: nil
        }
    }

    private func issuer(of claims: StrictObject, _ keyIssuer: String?) throws(TokenRefusal) -> AcceptedIssuer? {
        guard let issuers else { return nil }
        guard let issuer = claims.text("iss"),
            let accepted = issuers.first(where: { $0.isIssuer(issuer, of: claims, keyIssuer: keyIssuer) })
        else {
            let key = keyIssuer.map { " of a key for \($0)" } ?? ""
            throw TokenRefusal(.wrongIssuer, ("iss", claims.shown("iss") + key, issuers.map(\.text)))
        }
        return accepted
    }

    /// Returns the login time in milliseconds, limited to the calendar; nil if the dates are missing or malformed.
    private func loginTime(of claims: StrictObject) -> Int64? {
        for name in ["auth_time", "iat", "nbf"] {
            guard let time = try? seconds(name, of: claims) else { continue }
            return Int64(exactly: (min(max(time, 0), 1e12) * 1_000).rounded())
        }
        return nil
    }

    private func checkTimes(of claims: StrictObject, now: Int64, grace: Double) throws(TokenRefusal) {
        if let expiry = try seconds("exp", of: claims) {
            guard Double(now) < expiry + skew + grace else {
                throw TokenRefusal(.expired, ("exp", claims.shown("exp"), ["a time after \(now)"]))
            }
        } else if requiresExpiry {
            throw TokenRefusal(.missingExpiry, ("exp", claims.shown("exp"), ["a time"]))
        }
        if let start = try seconds("nbf", of: claims) {
            guard Double(now) >= start - skew else {
                throw TokenRefusal(.notYetValid, ("nbf", claims.shown("nbf"), ["a time before \(now)"]))
            }
        }
    }

    /// Returns a date of a token: seconds since 1970, with or without a fraction.
    private func seconds(_ name: String, of claims: StrictObject) throws(TokenRefusal) -> Double? {
        switch claims[name] {
        case nil: nil
        case .integer(let whole): Double(whole)
        case .number(let number), .precise(_, let number): number
        default: throw TokenRefusal(.malformed, (name, claims.shown(name), ["a number"]))
        }
    }

    private func checkAudience(of claims: StrictObject) throws(TokenRefusal) {
        guard let audiences else { return }
        let isOurs =
            switch claims["aud"] {
            case .string(let audience): audiences.contains(where: audience.isExactly)
            case .array(let list): audiences.contains { list.contains(.string($0)) }
            default: false
            }
        guard isOurs else { throw TokenRefusal(.wrongAudience, ("aud", claims.shown("aud"), audiences)) }
    }
}
