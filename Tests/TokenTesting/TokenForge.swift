public import Access
import ByteText
public import Crypto
public import CryptoExtras

/// Makes tokens of every kind, good and bad, for a server that trusts one key of each algorithm.
public enum TokenForge {
    /// Whom the server believes.
    public static let issuer = "urn:issuer"
    /// Whom tokens have to be for.
    public static let audience = "urn:audience"
    /// A time, in seconds since 1970, at which the good tokens are good; they are until 2096.
    public static let now: Int64 = 1000
    /// The signing key, as text.
    public static let secret = "a signing key of the server, in words"
    /// The master key.
    public static let masterKey = "the master key"

    /// The RSA key.
    public static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    /// The P-256 key.
    public static let p256 = P256.Signing.PrivateKey()
    /// The Ed25519 key.
    public static let ed25519 = Curve25519.Signing.PrivateKey()

    /// A header that is right.
    public static let goodHeader = #"{"alg":"HS256","typ":"JWT"}"#
    /// A payload that is right.
    public static let goodPayload = #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience","exp":4000000000}"#
    /// A payload that is right in v1.
    public static let goodMobileServicesPayload =
        #"{"exp":4000000000,"iss":"urn:microsoft:windows-azure:zumo","ver":2,"aud":"Custom","uid":"Custom:1"}"#

    /// The hash of an HMAC.
    public enum Hash: Sendable {
        case sha256, sha384, sha512
    }

    /// Whose signature a token gets.
    public enum Signer: Sendable {
        case secret(Hash)
        case hmacWith([UInt8])
        case rsa, p256, p256InDER, ed25519
        case bytes([UInt8])
    }

    /// A token with this header and payload.
    public static func token(
        _ header: String = goodHeader, _ payload: String = goodPayload, by signer: Signer = .secret(.sha256)
    ) throws -> String {
        try token(Array(header.utf8), Array(payload.utf8), by: signer)
    }

    /// A token of bytes that need not be text.
    public static func token(_ header: [UInt8], _ payload: [UInt8], by signer: Signer = .secret(.sha256)) throws
        -> String
    {
        let message = text(header) + "." + text(payload)
        return message + "." + text(try signature(of: Array(message.utf8), by: signer))
    }

    /// Base64 as tokens have it.
    public static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        Base64.appendURL(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// A signature.
    public static func signature(of message: [UInt8], by signer: Signer) throws -> [UInt8] {
        switch signer {
        case .secret(let hash): hmac(of: message, hash)
        case .hmacWith(let key):
            Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        case .rsa:
            Array(
                try rsa.get().signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                    .rawRepresentation)
        case .p256: Array(try p256.signature(for: message).rawRepresentation)
        case .p256InDER: Array(try p256.signature(for: message).derRepresentation)
        case .ed25519: Array(try ed25519.signature(for: message))
        case .bytes(let bytes): bytes
        }
    }

    private static func hmac(of message: [UInt8], _ hash: Hash) -> [UInt8] {
        let key = SymmetricKey(data: Array(secret.utf8))
        return switch hash {
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
    }

    /// The public keys as an issuer publishes them, with the ids `r`, `e` and `o`.
    public static func keySet() throws -> String {
        let numbers = try rsa.get().publicKey.getKeyPrimitives()
        let (modulus, exponent) = (text(Array(numbers.modulus)), text(Array(numbers.publicExponent)))
        let point = Array(p256.publicKey.rawRepresentation)
        return """
            {"keys":[
            {"kty":"RSA","kid":"r","use":"sig","alg":"RS256","n":"\(modulus)","e":"\(exponent)"},
            {"kty":"EC","kid":"e","crv":"P-256","x":"\(text(Array(point[..<32])))","y":"\(text(Array(point[32...])))"},
            {"kty":"OKP","kid":"o","crv":"Ed25519","x":"\(text(Array(ed25519.publicKey.rawRepresentation)))"}
            ]}
            """
    }

    /// The verifier of such a server.
    public static func verifier() throws -> TokenVerifier {
        TokenVerifier(
            signingKey: try SigningKey(secret), publicKeys: [TrustedKeySet(try PublicKeySet(jwks: try keySet()))],
            masterKeyDerivedKey: try .derived(fromMasterKey: masterKey), issuers: ["urn:other", issuer],
            audiences: ["urn:other", audience])
    }

    /// A v1 token as custom sign-in scripts made it.
    public static func mobileServicesToken(
        _ header: String = #"{"alg":"HS256","typ":"JWT","kid":"0"}"#, _ payload: String = goodMobileServicesPayload
    ) throws -> String {
        let key = SHA256.hash(data: Array((masterKey + "JWTSig").utf8))
        return try token(header, payload, by: .hmacWith(Array(key)))
    }
}
