/// Tells good tokens from bad ones.
///
/// Which algorithm a token may be signed with follows from the server's keys, never from the token: a signing key
/// checks HMAC signatures only, a public key those of its own algorithm only.
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
    ///   - publicKeys: for RS256, ES256 and EdDSA, each set for its own issuer's tokens.
    ///   - masterKeyDerivedKey: for v1 tokens; see `SigningKey.derived(fromMasterKey:)`.
    ///   - issuers: what `iss` may be, letter by letter. v1 tokens have an issuer of their own.
    ///   - audiences: one of them has to be in `aud`. v1 tokens may have any.
    public init(
        signingKey: SigningKey? = nil, publicKeys: [TrustedKeySet] = [], masterKeyDerivedKey: SigningKey? = nil,
        issuers: [String] = [], audiences: [String] = []
    ) {
        let profile = TokenProfile.appService(issuers: issuers, audiences: audiences)
        var keys: [TrustedKey] = []
        if let signingKey { keys.append(TrustedKey(proof: .secret(signingKey), profile: profile)) }
        if let masterKeyDerivedKey {
            keys.append(TrustedKey(proof: .secret(masterKeyDerivedKey), profile: .mobileServices))
        }
        for set in publicKeys {
            let profile = TokenProfile.appService(
                issuers: set.issuer.map { [$0] } ?? issuers, audiences: set.audience.map { [$0] } ?? audiences,
                loginsOf: set.client)
            keys += set.keys.keys.map { TrustedKey(proof: .publicKey($0), profile: profile) }
        }
        self.keys = keys
    }

    /// Checks a token, with or without `Bearer ` before it.
    ///
    /// - Parameter now: seconds since 1970.
    public func verify(_ text: String, now: Int64) throws(TokenFault) -> Principal.User {
        let token = try CompactToken(text)
        let candidates = keys.filter { $0.fits(token) }
        guard !candidates.isEmpty else { throw .unknownKey }
        guard let key = candidates.first(where: { $0.signed(token) }) else { throw .badSignature }
        return try key.profile.user(in: StrictObject(token: token.payload), now: now)
    }

    /// Checks a token that the server's own signing key made, which may have expired a while ago.
    ///
    /// - Parameter grace: how long after its expiry it is still good, for a new one to be given for it.
    public func verifyForRefresh(
        _ text: String, grace: Duration, now: Int64
    ) throws(TokenFault) -> Principal.User {
        let token = try CompactToken(text)
        let own = keys.filter { $0.isServersOwn && $0.fits(token) }
        guard !own.isEmpty else { throw .unknownKey }
        guard let key = own.first(where: { $0.signed(token) }) else { throw .badSignature }
        return try key.profile.user(in: StrictObject(token: token.payload), now: now, grace: grace)
    }
}

/// The public keys of an issuer, and what its tokens have to say.
public struct TrustedKeySet: Sendable {
    let keys: PublicKeySet
    let issuer: String?
    let audience: String?
    let client: String?

    /// - Parameters:
    ///   - issuer: what `iss` has to be; nil for what the verifier asks of every token.
    ///   - audience: what has to be in `aud`; nil for what the verifier asks of every token.
    ///   - client: the app whose logins the tokens tell (id_tokens): they have an `exp`, and no other's `azp`.
    public init(_ keys: PublicKeySet, issuer: String? = nil, audience: String? = nil, client: String? = nil) {
        self.keys = keys
        self.client = client
        self.issuer = issuer
        self.audience = audience
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

    /// Whether the server signs with it what it gives out itself: not so the key of v1's tokens.
    var isServersOwn: Bool {
        if case .secret(let key) = proof { key.form != .derived } else { false }
    }

    /// Whether the key is one for the token's algorithm, and not one of another name than the token says.
    func fits(_ token: CompactToken) -> Bool {
        switch (proof, token.algorithm) {
        case (.secret, .hmac): true
        case (.publicKey(let key), .publicKey(let algorithm)):
            key.algorithm == algorithm && (key.id == nil || token.keyID == nil || key.id == token.keyID)
        case (.secret, .publicKey), (.publicKey, .hmac): false
        }
    }

    func signed(_ token: CompactToken) -> Bool {
        switch (proof, token.algorithm) {
        case (.secret(let key), .hmac(let hash)): key.isValid(token.signature, for: token.signedBytes, hash)
        case (.publicKey(let key), .publicKey): key.isValid(token.signature, for: token.signedBytes)
        case (.secret, .publicKey), (.publicKey, .hmac): false
        }
    }
}
