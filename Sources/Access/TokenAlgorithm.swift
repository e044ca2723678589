/// How a token can be signed: what the `alg` of its header may say. Others, `none` among them, have no value here.
enum TokenAlgorithm: Equatable {
    case hmac(HMACHash)
    case publicKey(PublicKeyAlgorithm)

    /// - Returns: nil for an algorithm that is unknown or not trusted. Names are compared with regard to case.
    init?(headerName: String) {
        if let hash = HMACHash(rawValue: headerName) {
            self = .hmac(hash)
        } else if let algorithm = PublicKeyAlgorithm(rawValue: headerName) {
            self = .publicKey(algorithm)
        } else {
            return nil
        }
    }
}

/// The algorithms of a `SigningKey`.
enum HMACHash: String, CaseIterable {
    case sha256 = "HS256"
    case sha384 = "HS384"
    case sha512 = "HS512"
}

/// The algorithms of a `PublicKeySet`'s keys.
enum PublicKeyAlgorithm: String, CaseIterable {
    case rsa = "RS256"
    case p256 = "ES256"
    case ed25519 = "EdDSA"
}
