/// Distinguishes good tokens from bad ones.
///
/// Which algorithm a token may be signed with follows from the server's keys, never from the token: a signing key
/// checks only HMAC signatures, a public key only those of its own algorithm.
public struct TokenVerifier: Sendable {
    /// The most bytes of a token, `Bearer ` included.
    public static let maximumTokenBytes = 16 * 1024
    /// How far the issuer's clock may differ from the server's.
    public static let skew = Duration.seconds(60)
    /// The same for v1 tokens, as its runtime had it.
    public static let mobileServicesSkew = Duration.seconds(300)

    private let keys: [TrustedKey]

    /// Makes a verifier. Without keys, or with empty lists, it refuses every token.
    ///
    /// - Parameters:
    ///   - signingKey: for HS256, HS384 and HS512.
    ///   - oldSigningKeys: previous signing keys, whose tokens are still valid.
    ///   - publicKeys: for RS256, PS256, ES256, EdDSA and the like, each set for its own issuer's tokens.
    ///   - masterKeyDerivedKey: for v1 tokens; see `SigningKey.derived(fromMasterKey:)`.
    ///   - scriptKeys: for tokens of scripts, whoever they say they are from and for.
    ///   - issuers: allowed values of `iss`, exactly except for `{tenantid}`, which is the token's `tid`. v1 tokens
    ///     have their own issuer.
    ///   - audiences: one of them has to be in `aud`. v1 tokens may have any.
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

    /// Checks a token, with or without `Bearer ` before it, by every key that may have signed it.
    ///
    /// - Parameter now: seconds since 1970.
    public func verify(_ text: String, now: Int64) throws(TokenFault) -> Principal.User {
        do throws(TokenRefusal) {
            return try judge(text, by: keys, now: now)
        } catch {
            throw error.fault
        }
    }

    /// Checks a token that the server's own signing key made, which may have expired a while ago.
    ///
    /// - Parameter grace: how long after its expiry it is still good, for a new one to be given for it.
    public func verifyForRefresh(
        _ text: String, grace: Duration, now: Int64
    ) throws(TokenFault) -> Principal.User {
        do throws(TokenRefusal) {
            return try judge(text, by: keys.filter(\.isServersOwn), now: now, grace: grace)
        } catch {
            throw error.fault
        }
    }

    /// What the log says about a token that was refused for a fault: for a claim also its value, and what was expected.
    /// Nothing is said about a token that wasn't signed by anyone the server trusts.
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
            // With grace for a refresh the fault may have been another.
            if error.fault == fault { return error.words }
        }
        return fault.rawValue
    }

    /// - Throws: if no key accepts it, the fault of the one that comes closest.
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

    /// The keys as the log names them; a key without a name fits tokens with any.
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

/// The public keys of an issuer, and what its tokens have to say.
public struct TrustedKeySet: Sendable {
    let keys: PublicKeySet
    let issuers: [String]?
    let audiences: [String]?
    let tellsLogin: Bool
    let userClaim: String

    /// - Parameters:
    ///   - issuers: allowed values of `iss`; nil for what the verifier requires of every token.
    ///   - audiences: one of them has to be in `aud`; nil for what the verifier requires of every token.
    ///   - tellsLogin: whether the tokens attest a login (id_tokens): they have an `exp`.
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

/// A key and the rules of the tokens that it signs.
private struct TrustedKey: Sendable {
    enum Proof: Sendable {
        case secret(SigningKey)
        case publicKey(PublicKey)
    }

    let proof: Proof
    let profile: TokenProfile

    /// For whom the key signs, if its set says so.
    var issuer: String? {
        if case .publicKey(let key) = proof { key.issuer } else { nil }
    }

    /// Whether the server signs with it what it gives out itself: not so the key of v1's tokens.
    var isServersOwn: Bool {
        if case .secret(let key) = proof { key.form != .derived } else { false }
    }

    /// Whether the key is one for the token's algorithm, and not one of another name than the token says.
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
