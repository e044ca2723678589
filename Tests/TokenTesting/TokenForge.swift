public import Access
import ByteText
import Cryptography

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
    public static let rsa = PrivateKey(.rsa)
    /// The P-256 key.
    public static let p256 = PrivateKey(.p256)
    /// The Ed25519 key.
    public static let ed25519 = PrivateKey(.ed25519)

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

        fileprivate var ofMessages: MessageKey.Hash {
            switch self {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        }
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
        case .secret(let hash): MessageKey(secret.utf8Span.span, hash.ofMessages).code(of: message.span)
        case .hmacWith(let key): MessageKey(key.span, .sha256).code(of: message.span)
        case .rsa: try rsa.signature(of: message)
        case .p256: try p256.signature(of: message)
        case .p256InDER: try p256.signatureInDER(of: message)
        case .ed25519: try ed25519.signature(of: message)
        case .bytes(let bytes): bytes
        }
    }

    /// The public keys as an issuer publishes them, with the ids `r`, `e` and `o`.
    public static func keySet() -> String {
        let (modulus, exponent) = (text(rsa.modulus), text(rsa.exponent))
        let point = p256.point.dropFirst()
        return """
            {"keys":[
            {"kty":"RSA","kid":"r","use":"sig","alg":"RS256","n":"\(modulus)","e":"\(exponent)"},
            {"kty":"EC","kid":"e","crv":"P-256","x":"\(text(Array(point.prefix(32))))","y":"\(text(Array(point.suffix(32))))"},
            {"kty":"OKP","kid":"o","crv":"Ed25519","x":"\(text(ed25519.point))"}
            ]}
            """
    }

    /// The verifier of such a server.
    public static func verifier() throws -> TokenVerifier {
        TokenVerifier(
            signingKey: try SigningKey(secret), publicKeys: [TrustedKeySet(try PublicKeySet(jwks: keySet()))],
            masterKeyDerivedKey: try .derived(fromMasterKey: masterKey), issuers: ["urn:other", issuer],
            audiences: ["urn:other", audience])
    }

    /// A v1 token as custom sign-in scripts made it.
    public static func mobileServicesToken(
        _ header: String = #"{"alg":"HS256","typ":"JWT","kid":"0"}"#, _ payload: String = goodMobileServicesPayload
    ) throws -> String {
        try token(header, payload, by: .hmacWith(Digest.sha256((masterKey + "JWTSig").utf8Span.span)))
    }
}
