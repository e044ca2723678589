internal import ByteText
internal import JSONText

/// Signs tokens that a `TokenVerifier` with the same key, issuer and audience accepts.
///
/// They look like the .NET server's: HS256, HS384 or HS512 by the length of the key, and `ver` 3.
public struct TokenMinter: Sendable {
    private let key: SigningKey
    private let issuer: String
    private let audience: String

    /// Creates a minter.
    public init(key: SigningKey, issuer: String, audience: String) {
        self.key = key
        self.issuer = issuer
        self.audience = audience
    }

    /// The claims that the minter sets itself.
    public static let reservedClaims: Set<String> = ["sub", "iss", "aud", "ver", "iat", "nbf", "exp", "auth_time"]

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - claims: additional claims, all text; `role` `admin` makes an admin.
    ///   - lifetime: in whole seconds; nil for a token that never expires.
    ///   - now: seconds since 1970; the token is valid from then on.
    ///   - loggedInAt: when the user logged in, in milliseconds since 1970; nil to omit it.
    public func mint(
        user: String, claims: [String: String] = [:], lifetime: Duration?, now: Int64, loggedInAt: Int64? = nil
    ) throws(MintFault) -> String {
        guard !user.isEmpty else { throw .noUser }
        if let reserved = claims.keys.sorted().first(where: Self.reservedClaims.contains) {
            throw .reservedClaim(reserved)
        }
        let hash = key.preferredHash
        let header: JSONValue = ["alg": .string(hash.rawValue), "typ": "JWT"]
        let payload = try payload(user, claims, lifetime, now, loggedInAt)
        var token = "\(Base64.url(header.jsonBytes)).\(Base64.url(payload.jsonBytes))"
        token += ".\(Base64.url(key.signature(of: Array(token.utf8), hash)))"
        guard token.utf8.count <= TokenVerifier.maximumTokenBytes else { throw .tooLarge }
        return token
    }

    private func payload(
        _ user: String, _ claims: [String: String], _ lifetime: Duration?, _ now: Int64, _ loggedInAt: Int64?
    ) throws(MintFault) -> JSONValue {
        var texts = [("sub", user), ("iss", issuer), ("aud", audience), ("ver", "3")]
        texts += claims.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        var members = texts.map { JSONMember($0, .string($1)) }
        members += [JSONMember("iat", .integer(now)), JSONMember("nbf", .integer(now))]
        if let loggedInAt, loggedInAt >= 0 {
            // Dates in tokens may have a fraction (RFC 7519 section 2).
            members.append(JSONMember("auth_time", .number(Double(loggedInAt) / 1_000)))
        }
        if let lifetime {
            let (expiry, overflow) = now.addingReportingOverflow(lifetime.components.seconds)
            guard !overflow, expiry > now else { throw .invalidLifetime }
            members.append(JSONMember("exp", .integer(expiry)))
        }
        return .object(members)
    }
}

/// Why no token was made.
public enum MintFault: Error, Sendable, Equatable {
    case noUser
    /// The claim is one that the minter sets itself.
    case reservedClaim(String)
    /// The lifetime is less than a second, or ends beyond the calendar.
    case invalidLifetime
    /// With these claims, the token would be larger than verifiers accept.
    case tooLarge

    /// What is wrong, for the log.
    public var words: String {
        switch self {
        case .noUser: "it would name no user"
        case .reservedClaim(let name): "the claim \(name) is the server's own"
        case .invalidLifetime: "its lifetime is less than a second, or beyond the calendar"
        case .tooLarge: "with these claims it would be too large"
        }
    }
}
