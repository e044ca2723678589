/// The algorithms by which a token may be signed, from the `alg` of its header. Others, including `none`, have no case.
enum TokenAlgorithm: Equatable {
    case hmac(HMACHash)
    case publicKey(PublicKeyAlgorithm)

    /// - Returns: nil for an algorithm that is unknown or not trusted. Names are case-sensitive.
    init?(headerName: String) {
        if let hash = HMACHash(rawValue: headerName) {
            self = .hmac(hash)
        } else if let algorithm = PublicKeyAlgorithm(name: headerName) {
            self = .publicKey(algorithm)
        } else {
            return nil
        }
    }

    /// The algorithm's name in headers.
    var name: String {
        switch self {
        case .hmac(let hash): hash.rawValue
        case .publicKey(let algorithm): algorithm.rawValue
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
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// Parses the name in a token or a key; `Ed25519` is the newer name of EdDSA with that curve (RFC 9864).
    init?(name: String) {
        self.init(rawValue: name == "Ed25519" ? "EdDSA" : name)
    }

    /// The algorithms that an RSA key verifies if it names none.
    static let ofRSA: [PublicKeyAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
}
