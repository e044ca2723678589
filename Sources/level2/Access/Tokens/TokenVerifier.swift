/// Verifies tokens.
///
/// The algorithm that a token may be signed with follows from the server's keys, never from the token: a signing key
/// only verifies HMAC signatures, a public key only those of its own algorithm.
public struct TokenVerifier: Sendable {
    /// The maximum size of a token in bytes, including `Bearer `.
    public static let maximumTokenBytes = 16 * 1024
    /// The maximum difference between the issuer's clock and the server's.
    public static let skew = Duration.seconds(60)
    /// The same for v1 tokens, as in the v1 runtime.
    public static let mobileServicesSkew = Duration.seconds(300)

    private let keys: [TrustedKey]

    /// Creates a verifier. Without keys, or with empty lists, it refuses every token.
    ///
    /// - Parameters:
    ///   - signingKey: for HS256, HS384 and HS512.
    ///   - oldSigningKeys: previous signing keys, whose tokens are still accepted.
    ///   - publicKeys: for RS256, PS256, ES256, EdDSA and the like, each set for its own issuer's tokens.
    ///   - masterKeyDerivedKey: for v1 tokens; see `SigningKey.derived(fromMasterKey:)`.
    ///   - scriptKeys: for tokens signed by scripts, with any issuer and audience.
    ///   - issuers: accepted values of `iss`, compared exactly except for `{tenantid}`, which stands for the token's
    ///     `tid`. v1 tokens have their own issuer.
    ///   - audiences: accepted values of `aud`. v1 tokens may have any.
    public init(
        signingKey: SigningKey? = nil, oldSigningKeys: [SigningKey] = [], publicKeys: [TrustedKeySet] = [],
        masterKeyDerivedKey: SigningKey? = nil, scriptKeys: [ScriptKey] = [],
        issuers: [String] = [], audiences: [String] = []
    ) {
        let profile = TokenProfile.appService(issuers: issuers, audiences: audiences)
        var keys: [TrustedKey] = []
        for key in [signingKey].compactMap(\.self) + oldSigningKeys {
            keys.append(TrustedKey(proof: .secret(key), profile: profile))
        }
        if let masterKeyDerivedKey {
            keys.append(TrustedKey(proof: .secret(masterKeyDerivedKey), profile: .mobileServices))
        }
        for key in scriptKeys {
            keys.append(TrustedKey(proof: .secret(key.key), profile: .scripts))
        }
        for set in publicKeys {
            let profile = TokenProfile.appService(
                issuers: set.issuers ?? issuers, audiences: set.audiences ?? audiences, tellsLogin: set.tellsLogin,
                userClaim: set.userClaim)
            keys += set.keys.keys.map { TrustedKey(proof: .publicKey($0), profile: profile) }
        }
        self.keys = keys
    }

    /// Verifies a token, with or without a leading `Bearer `, with every key that may have signed it.
    ///
    /// - Parameter now: seconds since 1970.
    public func verify(_ text: String, now: Int64) throws(TokenFault) -> Principal.User {
        do throws(TokenRefusal) {
            return try judge(text, by: keys, now: now)
        } catch {
            throw error.fault
        }
    }

    /// Verifies a token signed with the server's own signing key, even if it expired recently.
    ///
    /// - Parameter grace: how long after its expiry it can still be exchanged for a new one.
    public func verifyForRefresh(
        _ text: String, grace: Duration, now: Int64
    ) throws(TokenFault) -> Principal.User {
        do throws(TokenRefusal) {
            return try judge(text, by: keys.filter(\.isServersOwn), now: now, grace: grace)
        } catch {
            throw error.fault
        }
    }

    /// Returns the log's description of a refused token: for a claim at fault, also its value and what was expected.
    /// Reveals nothing about a token that no trusted issuer signed.
    public func words(for fault: TokenFault, of text: String, now: Int64) -> String {
        switch fault {
        case .expired, .notYetValid, .missingExpiry, .wrongIssuer, .wrongAudience, .missingUser, .unknownKey: break
        case .tooLarge, .malformed, .duplicateMember, .unsupportedAlgorithm, .embeddedKey, .criticalExtension,
            .badSignature:
            return fault.rawValue
        }
        do throws(TokenRefusal) {
            _ = try judge(text, by: keys, now: now)
        } catch {
            // With grace for a refresh, the fault may have been different.
            if error.fault == fault { return error.words }
        }
        return fault.rawValue
    }

    /// - Throws: if no key accepts it, the fault of the closest match.
    private func judge(
        _ text: String, by keys: [TrustedKey], now: Int64, grace: Duration = .zero
    ) throws(TokenRefusal) -> Principal.User {
        let token: CompactToken
        do throws(TokenFault) { token = try CompactToken(text) } catch { throw TokenRefusal(error) }
        var fits = false
        var read: StrictObject?
        var refusals: [TokenRefusal] = []
        for key in keys where key.fits(token) {
            fits = true
            guard key.signed(token) else { continue }
            let claims: StrictObject
            if let read { claims = read } else { claims = try Self.claims(of: token) }
            read = claims
            do throws(TokenRefusal) {
                return try key.profile.user(in: claims, keyIssuer: key.issuer, now: now, grace: grace)
            } catch {
                refusals.append(error)
            }
        }
        if let refusal = TokenRefusal.of(refusals) { throw refusal }
        guard !fits else { throw TokenRefusal(.badSignature) }
        let name = token.keyID.map { "\"\($0)\"" } ?? "absent"
        throw TokenRefusal(.unknownKey, ("kid", "\(name) for \(token.algorithm.name)", Self.names(of: keys)))
    }

    /// Returns the keys' names for the log; a key without an id fits tokens with any.
    private static func names(of keys: [TrustedKey]) -> [String] {
        let names = keys.map { key in
            switch key.proof {
            case .secret: "the signing key"
            case .publicKey(let key):
                "\(key.id.map { "\"\($0)\"" } ?? "any") for \(key.algorithms.map(\.rawValue).joined(separator: ", "))"
            }
        }
        return names.isEmpty ? ["impossible, as there is no usable key"] : names
    }

    private static func claims(of token: CompactToken) throws(TokenRefusal) -> StrictObject {
        do throws(TokenFault) { return try StrictObject(token: token.payload) } catch { throw TokenRefusal(error) }
    }
}

/// The public keys of an issuer, and the requirements on its tokens.
public struct TrustedKeySet: Sendable {
    let keys: PublicKeySet
    let issuers: [String]?
    let audiences: [String]?
    let tellsLogin: Bool
    let userClaim: String

    /// - Parameters:
    ///   - issuers: accepted values of `iss`; nil for the verifier's own.
    ///   - audiences: accepted values of `aud`; nil for the verifier's own.
    ///   - tellsLogin: whether the tokens attest a login (id_tokens), which requires an `exp`.
    ///   - userClaim: the claim that identifies the user.
    public init(
        _ keys: PublicKeySet, issuers: [String]? = nil, audiences: [String]? = nil, tellsLogin: Bool = false,
        userClaim: String = "sub"
    ) {
        self.userClaim = userClaim
        self.keys = keys
        self.issuers = issuers
        self.audiences = audiences
        self.tellsLogin = tellsLogin
    }
}

/// A key with the requirements on the tokens that it signs.
private struct TrustedKey: Sendable {
    enum Proof: Sendable {
        case secret(SigningKey)
        case publicKey(PublicKey)
    }

    let proof: Proof
    let profile: TokenProfile

    /// The issuer that the key signs for, if its set says so.
    var issuer: String? {
        if case .publicKey(let key) = proof { key.issuer } else { nil }
    }

    /// Whether the server signs its own tokens with it: not so the key of v1 tokens.
    var isServersOwn: Bool {
        if case .secret(let key) = proof { key.form != .derived } else { false }
    }

    /// Returns whether the key has the token's algorithm, and not another id than the token names.
    func fits(_ token: CompactToken) -> Bool {
        switch (proof, token.algorithm) {
        case (.secret, .hmac): true
        case (.publicKey(let key), .publicKey(let algorithm)):
            key.algorithms.contains(algorithm) && (key.id == nil || token.keyID == nil || key.id == token.keyID)
        case (.secret, .publicKey), (.publicKey, .hmac): false
        }
    }

    func signed(_ token: CompactToken) -> Bool {
        switch (proof, token.algorithm) {
        case (.secret(let key), .hmac(let hash)): key.isValid(token.signature, for: token.signedBytes, hash)
        case (.publicKey(let key), .publicKey(let algorithm)):
            key.isValid(token.signature, for: token.signedBytes, algorithm)
        case (.secret, .publicKey), (.publicKey, .hmac): false
        }
    }
}
